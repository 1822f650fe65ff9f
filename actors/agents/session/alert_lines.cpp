#include "actors/agents/session/alert_lines.hpp"

namespace gasoline {
namespace {

void add(nlohmann::json& into, const char* key, const redacted_text& text) {
  if (!text.empty())
    into[key] = text.str();
}

/// The text without the characters that would end or disturb a line.
std::string in_one_line(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return out;
}

/// Whether a text names something below a directory.
bool names_path_below(std::string_view text, std::string_view directory) {
  while (directory.ends_with('/'))
    directory.remove_suffix(1);
  for (auto at = directory.empty() ? std::string_view::npos : text.find(directory);
       at != std::string_view::npos; at = text.find(directory, at + 1))
    if (text.substr(at + directory.size()).starts_with('/'))
      return true;
  return false;
}

} // namespace

bool alert_concerns(const alert& a, std::string_view page_url, std::string_view workspace_path) {
  if (page_url.empty() || a.url.empty())
    return true;
  if (std::string_view{a.url.str()}.starts_with(page_url))
    return true;
  for (const auto* text : {&a.title, &a.detail, &a.url})
    if (names_path_below(text->str(), workspace_path))
      return true;
  return false;
}

nlohmann::json alert_payload(const alert& a) {
  nlohmann::json out{{"alert_id", id_text(a)},
                     {"severity", name_of(a.level)},
                     {"category", name_of(a.kind)},
                     {"alert_category", name_of(a.category)},
                     {"title", a.title.str()},
                     {"source", a.source.str()},
                     {"count", a.count},
                     {"dedup_key", merge_key(a)}};
  add(out, "detail", a.detail);
  add(out, "url", a.url);
  if (a.page_data)
    out["page_data"] = true;
  return out;
}

std::string alert_line(const alert& a) {
  std::string out = id_text(a) + " " + std::string{name_of(a.level)} + " " +
                    std::string{name_of(a.category)} + ": " + in_one_line(a.title.str());
  if (!a.url.empty())
    out += " (" + in_one_line(a.url.str()) + ")";
  if (a.count > 1)
    out += " x" + std::to_string(a.count);
  return out;
}

} // namespace gasoline
