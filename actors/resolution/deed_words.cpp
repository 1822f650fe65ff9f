#include "actors/resolution/deed_words.hpp"

#include "actors/base/page_key.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "messages/base/letters.hpp"

#include <string>

namespace gasoline {
namespace {

constexpr std::size_t words_bytes = 160;

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

bool is_opening(const event& e) {
  // A page's own script that shows another view tells where from.
  return e.kind == telemetry_kind::action && e.name.view() == "navigate" &&
         field_text(e.fields, "by").view() == "interact" &&
         field_text(e.fields, "from_url").empty();
}

std::string action_words(const event& e) {
  if (e.kind != telemetry_kind::action || is_opening(e))
    return {};
  const auto element = element_name(e).shortened(words_bytes);
  const auto name = ascii::trimmed(element.view());
  return name.empty() ? e.name.str() : e.name.str() + " on " + std::string{name};
}

std::string request_words(const event& e) {
  if (!is_request(e))
    return {};
  const auto method = method_of(e);
  std::string out{method.empty() ? std::string_view{"GET"} : method.view()};
  const bool is_named = e.kind == telemetry_kind::request && e.url.empty(); // by its address
  const auto target =
      is_named ? target_key(request_url(e), words_bytes) : target_key(e.url, words_bytes);
  out.append(1, ' ').append(target.view());
  return out;
}

const worded_request& request_wording::numbered(const event& e) {
  if (!is_request(e))
    return none_;
  // Timings may have their address in the place of a method.
  const auto [known, added] = known_.try_emplace({e.name.view(), e.url.view()});
  if (added)
    known->second = worded(e, known_.size() - 1);
  return known->second;
}

worded_request request_wording::worded(const event& e, std::size_t number) {
  const auto [known, added] = endpoints_.try_emplace(request_words(e), endpoints_.size());
  if (added)
    words_.push_back(known->first);
  return {known->first, number, known->second};
}

} // namespace gasoline
