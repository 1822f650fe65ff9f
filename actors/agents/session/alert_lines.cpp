#include "actors/agents/session/alert_lines.hpp"

#include "actors/agents/session/workspace_repository.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

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

std::string lowered(std::string_view text) {
  std::string out{text};
  for (char& c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool goes_on(std::string_view text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                              text[at] == '-' || text[at] == '_');
}

/// Whether a text holds that path, and not as a part of longer names.
bool names_path(std::string_view text, std::string_view path) {
  const auto where = lowered(text);
  const auto what = lowered(path);
  for (auto at = where.find(what); at != std::string::npos; at = where.find(what, at + 1))
    if ((at == 0 || !goes_on(where, at - 1)) && !goes_on(where, at + what.size()))
      return true;
  return false;
}

/// Whether a CI result, whose detail says `ref BRANCH`, is of that branch.
bool is_of_branch(std::string_view detail, const std::string& branch) {
  for (const char* beginning : {"ref ", "ref refs/heads/"}) {
    const auto wanted = beginning + branch;
    const auto at = detail.find(wanted);
    const auto end = at == std::string_view::npos ? std::string_view::npos : at + wanted.size();
    if (end != std::string_view::npos &&
        (end == detail.size() || detail[end] == ',' || detail[end] == '\n'))
      return true;
  }
  return false;
}

bool ci_result_concerns(const alert& a, const std::string& workspace_path) {
  const auto repository = repository_of(workspace_path);
  const std::array<const redacted_text*, 3> texts{&a.url, &a.detail, &a.title};
  if (!repository.remote.empty() && std::any_of(texts.begin(), texts.end(), [&](const auto* text) {
        return names_path(text->str(), repository.remote);
      }))
    return true;
  const bool elsewhere = !a.url.empty() && !repository.remote.empty();
  return !elsewhere && !repository.branch.empty() &&
         is_of_branch(a.detail.str(), repository.branch);
}

} // namespace

bool alert_concerns(const alert& a, const session_place& place) {
  if (place.page_url.empty() || a.url.empty())
    return true;
  for (const auto* address : {&a.url, &a.page})
    if (std::string_view{address->str()}.starts_with(place.page_url))
      return true;
  for (const auto* text : {&a.title, &a.detail, &a.url})
    if (names_path_below(text->str(), place.workspace_path))
      return true;
  return a.kind == alert_topic::ci && ci_result_concerns(a, place.workspace_path);
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
