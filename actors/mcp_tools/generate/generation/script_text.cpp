#include "actors/mcp_tools/generate/generation/script_text.hpp"

#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cstddef>

namespace gasoline {
namespace {

constexpr std::string_view mask_start = "[REDACTED";

/// The length of what varies that begins here; 0: nothing does.
std::size_t placeholder_length(std::string_view text) {
  for (const std::string_view mark : {"<n>", "<id>", "<value>", "…"})
    if (text.starts_with(mark))
      return mark.size();
  if (text.starts_with(mask_start))
    return std::min(text.find(']'), text.size() - 1) + 1;
  constexpr std::size_t escape = 6; // a control or invisible character, spelled out: \u202e
  if (text.starts_with("\\u") && text.size() >= escape)
    return escape;
  return 0;
}

/// The character as a regular expression takes it for itself.
void append_literal(std::string& out, char c) {
  constexpr std::string_view special = "\\^$.|?*+()[]{}/";
  if (special.find(c) != std::string_view::npos)
    out += '\\';
  out += c;
}

std::string expression(const std::string& pattern) {
  return "new RegExp(" + script_string(pattern) + ')';
}

} // namespace

bool has_mask(std::string_view text) {
  return text.find(mask_start) != std::string_view::npos;
}

std::string script_string(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  std::string out;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    // Neither the end of a script element nor a comment of HTML may begin in it.
    if (quoted[i] == '<')
      out += "\\u003c";
    else
      out += quoted[i];
  }
  return out;
}

std::string script_text_pattern(std::string_view normalised) {
  std::string out;
  while (!normalised.empty()) {
    const auto length = placeholder_length(normalised);
    if (length > 0)
      out += ".*";
    else
      append_literal(out, normalised.front());
    normalised.remove_prefix(length > 0 ? length : 1);
  }
  return expression(out.empty() ? "." : out);
}

std::string script_path_pattern(std::string_view path) {
  constexpr std::string_view id = ":id";
  std::string out = "^";
  while (!path.empty()) {
    const auto length = path.starts_with(id) ? id.size() : placeholder_length(path);
    if (length > 0)
      out += "[^/]+";
    else
      append_literal(out, path.front());
    path.remove_prefix(length > 0 ? length : 1);
  }
  return expression(out + '$');
}

} // namespace gasoline
