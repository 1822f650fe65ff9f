#include "actors/browser/cdp/cdp_calls.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {

std::uint64_t cdp_calls::add(std::string session, mono_time deadline, cdp_then then) {
  open_.emplace(++last_, open_call{std::move(session), deadline, std::move(then)});
  return last_;
}

std::optional<cdp_then> cdp_calls::take(std::uint64_t id) {
  const auto found = open_.find(id);
  if (found == open_.end())
    return std::nullopt;
  auto then = std::move(found->second.then);
  open_.erase(found);
  return then;
}

std::vector<cdp_then> cdp_calls::overdue(mono_time now) {
  std::vector<cdp_then> out;
  std::erase_if(open_, [&](auto& row) {
    if (row.second.deadline > now)
      return false;
    out.push_back(std::move(row.second.then));
    return true;
  });
  return out;
}

std::vector<cdp_then> cdp_calls::of_session(std::string_view session) {
  std::vector<cdp_then> out;
  std::erase_if(open_, [&](auto& row) {
    if (!session.empty() && row.second.session != session)
      return false;
    out.push_back(std::move(row.second.then));
    return true;
  });
  return out;
}

std::optional<mono_time> cdp_calls::next_deadline() const {
  const auto first = std::min_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
    return a.second.deadline < b.second.deadline;
  });
  return first == open_.end() ? std::nullopt : std::optional{first->second.deadline};
}

} // namespace gasoline
