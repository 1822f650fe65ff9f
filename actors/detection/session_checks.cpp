#include "actors/detection/session_checks.hpp"

#include "actors/base/url_pieces.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_paths = 64;

std::string_view path_in(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  while (!url.empty() && url.back() == '/')
    url.remove_suffix(1);
  return url;
}

} // namespace

bool session_checks::is_check(const event& e) {
  constexpr std::array<std::string_view, 14> names{
      "me",     "user",     "session",      "sessions",     "whoami", "current", "account",
      "viewer", "userinfo", "current_user", "current-user", "auth",   "refresh", "self"};
  if (e.kind != telemetry_kind::body)
    return false;
  const auto path = path_in(e.url.view());
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return std::find(names.begin(), names.end(), name) != names.end();
}

void session_checks::answered(const event& e) {
  path_of(e).answered = true;
}

session_checks::meaning session_checks::refused(const event& e) {
  auto& p = path_of(e);
  if (p.answered)
    return meaning::fault;
  return std::exchange(p.refused, true) ? meaning::repeated_question : meaning::first_question;
}

session_checks::path& session_checks::path_of(const event& e) {
  const auto hash = std::hash<std::string_view>{}(path_in(e.url.view()));
  const auto known =
      std::find_if(paths_.begin(), paths_.end(), [&](const path& p) { return p.hash == hash; });
  if (known != paths_.end())
    return *known;
  if (paths_.size() >= most_paths)
    paths_.pop_front();
  paths_.push_back({hash, false, false});
  return paths_.back();
}

} // namespace gasoline
