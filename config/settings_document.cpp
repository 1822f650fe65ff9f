#include "config/settings_document.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;

/// Looks at a document while it is parsed: keys that an object has twice, and nesting without end,
/// are not to be seen in the result.
class document_watch {
 public:
  /// What the parser tells of, with the levels around it; false: that value is not kept.
  bool see(int levels, json::parse_event_t event, const json& parsed) {
    if (levels > most_levels) {
      too_deep_ = true;
      return false;
    }
    if (event == json::parse_event_t::object_start)
      open_.emplace_back();
    else if (event == json::parse_event_t::object_end && !open_.empty())
      open_.pop_back();
    else if (event == json::parse_event_t::key)
      see_key(parsed.get<std::string>());
    return true;
  }

  /// The first key that is there twice, as its path; empty: there is none.
  const std::string& repeated() const { return repeated_; }

  /// Whether the document nests deeper than any setting does; what is deeper was left out.
  bool too_deep() const { return too_deep_; }

 private:
  static constexpr int most_levels = 16;

  struct open_object {
    std::set<std::string> keys;
    std::string current;
  };

  void see_key(const std::string& key) {
    auto& object = open_.back();
    object.current = key;
    if (object.keys.insert(key).second || !repeated_.empty())
      return;
    for (const auto& level : open_)
      repeated_ += (repeated_.empty() ? "" : ".") + level.current;
  }

  std::vector<open_object> open_;
  std::string repeated_;
  bool too_deep_ = false;
};

tl::unexpected<user_error> refused_document(std::string_view file_name, const std::string& why) {
  return tl::unexpected(user_error{std::string{file_name} + why});
}

} // namespace

result_or<json> read_settings_document(std::string_view text, std::string_view file_name) {
  document_watch watch;
  auto document = json::parse(
      text,
      [&](int levels, json::parse_event_t event, json& parsed) {
        return watch.see(levels, event, parsed);
      },
      false, true);
  if (watch.too_deep())
    return refused_document(file_name, " nests deeper than any setting does.");
  if (!watch.repeated().empty())
    return refused_document(
        file_name, ": " + watch.repeated() +
                       " is given twice, of which one would be ignored; keep one of them.");
  if (document.is_discarded())
    return refused_document(file_name, " is not valid JSON (comments are allowed).");
  if (!document.is_object())
    return refused_document(file_name, " must hold one JSON object.");
  return document;
}

} // namespace gasoline
