#include "actors/mcp_tools/analyze/page_use.hpp"

#include "actors/detection/direct_alert.hpp"
#include "actors/detection/event_fields.hpp"
#include "actors/detection/event_marks.hpp"
#include "actors/detection/fault_key.hpp"
#include "actors/mcp_tools/observe/answer/page_key.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t words_bytes = 160;

std::string on_page(std::string_view page, std::string_view action) {
  return std::string{page}.append("\n").append(action);
}

/// The name that a person would give the element: its text, its test id, else its CSS path.
redacted_text element_name(const event& e) {
  const auto selectors = field_members(e.fields, "selectors");
  for (const char* name : {"text", "testid", "css"})
    if (auto text = field_text(selectors, name); !text.empty())
      return text;
  auto selector = field_text(e.fields, "selector");
  return selector.empty() ? e.message : selector;
}

} // namespace

std::string_view page_of(const event& e) {
  if (!e.page.empty())
    return page_key(e.page.view());
  return is_request(e) || e.kind == telemetry_kind::socket ? std::string_view{}
                                                           : page_key(e.url.view());
}

std::string action_words(const event& e) {
  if (e.kind != telemetry_kind::action)
    return {};
  const auto element = element_name(e).shortened(words_bytes);
  return element.empty() ? e.name.str() : e.name.str() + " on " + element.str();
}

std::string request_words(const event& e) {
  if (!is_request(e))
    return {};
  const auto method = method_of(e);
  return (method.empty() ? std::string{"GET"} : method.str()) + ' ' +
         target_key(request_url(e), words_bytes).str();
}

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
