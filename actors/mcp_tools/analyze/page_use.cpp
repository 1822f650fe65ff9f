#include "actors/mcp_tools/analyze/page_use.hpp"

#include "actors/base/page_key.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/event_fields.hpp"
#include "actors/detection/event_marks.hpp"
#include "actors/detection/fault_key.hpp"

#include <algorithm>

namespace gasoline {
namespace {

std::string on_page(std::string_view page, std::string_view action) {
  return std::string{page}.append("\n").append(action);
}

} // namespace

page_use::page_use(const std::vector<event_group>& events) {
  for (const auto& group : events) {
    const auto& e = *group.newest;
    const auto page = page_of(e);
    if (const auto id = marks_of(e).page_id; !id.empty() && !page.empty()) {
      const auto [known, added] =
          documents_.try_emplace(std::string{id}, document{std::string{page}, group.first_at});
      if (!added)
        known->second.began = std::min(known->second.began, group.first_at);
    }
    if (auto action = action_words(e); !action.empty())
      actions_.insert(on_page(page, action));
    if (auto request = request_words(e); !request.empty()) {
      if (e.status >= 200 && !is_failed_exchange(e))
        answered_.insert(request);
      requests_.insert(std::move(request));
    }
    built_ = built_ || e.build == build_state::passed;
  }
}

std::optional<wall_time> page_use::document_began(std::string_view page_id) const {
  const auto found = documents_.find(page_id);
  return found == documents_.end() ? std::nullopt : std::optional{found->second.began};
}

std::optional<wall_time> page_use::loaded_since(std::string_view page,
                                                const page_use& before) const {
  std::optional<wall_time> out;
  for (const auto& [id, doc] : documents_)
    if (doc.page == page && !before.document_began(id))
      out = out ? std::min(*out, doc.began) : doc.began;
  return out;
}

bool page_use::did(std::string_view page, const std::string& action) const {
  return actions_.count(on_page(page, action)) > 0;
}

bool page_use::asked_with_success(const std::string& request) const {
  return answered_.count(request) > 0;
}

bool page_use::asked(const std::string& request) const {
  return requests_.count(request) > 0;
}

} // namespace gasoline
