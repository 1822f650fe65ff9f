#include "actors/detection/fault/logged_fault.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/stack_frames.hpp"
#include "actors/frames/stack/stack_frame.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

constexpr std::size_t looked_at = 512;

template <std::size_t N>
bool begins_with_any(std::string_view text, const std::array<std::string_view, N>& starts) {
  // Nearly all differ in their first letter, which is quicker to look at than the text.
  return !text.empty() && std::any_of(starts.begin(), starts.end(), [&](std::string_view start) {
    return text.front() == start.front() && text.starts_with(start);
  });
}

template <std::size_t N>
bool holds_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

/// Whether one of the parts is there, all of which hold `common`: one search tells it of nearly
/// every text, and the quicker the rarer the letter is that `common` begins with.
template <std::size_t N>
bool holds_any(std::string_view text, std::string_view common,
               const std::array<std::string_view, N>& parts) {
  return text.find(common) != std::string_view::npos && holds_any(text, parts);
}

// The name that a tool puts before its lines, once or twice: `[vite] `, `[webpack-dev-server]
// ERROR`.
std::string_view without_tool(std::string_view text) {
  constexpr std::array<std::string_view, 17> openings{
      "[vite] ",  "[hmr] ",        "[HMR] ",        "[webpack-dev-server] ",
      "[WDS] ",   "[rsbuild] ",    "[rspack] ",     "[parcel] ",
      "[nuxt] ",  "[next] ",       "[vite-node] ",  "ERROR in ",
      "ERROR\n",  "\xE2\xA8\xAF ", "\xE2\x9C\x98 ", "\xF0\x9F\x9A\xA8 ",
      "\xC3\x97 "};
  constexpr std::string_view beginnings = "[E\xE2\xF0\xC3"; // of all of them
  for (bool found = true; found;) {
    found = false;
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    if (text.empty() || beginnings.find(text.front()) == std::string_view::npos)
      return text;
    for (const auto opening : openings)
      if (text.starts_with(opening)) {
        text.remove_prefix(opening.size());
        found = true;
      }
  }
  return text;
}

// What only a tool can mean, and what anybody may print but for the tool's name before it.
bool tells_build(std::string_view text) {
  constexpr std::array<std::string_view, 15> own_words{"Module parse failed",
                                                       "Module build failed",
                                                       "Module not found: ",
                                                       "Failed to compile",
                                                       "Failed to resolve import",
                                                       "Parsing ecmascript source code failed",
                                                       "Error: Module parse failed",
                                                       "Error: Module build failed",
                                                       "Error: Failed to resolve import",
                                                       "[plugin:",
                                                       "[vite-plugin-",
                                                       "[postcss]",
                                                       "[ERROR] ",
                                                       "@parcel/",
                                                       "SyntaxError: [vue/"};
  constexpr std::array<std::string_view, 6> module_parts{
      "\nModule parse failed", "\nModule build failed", "\nModule not found",
      ": Module parse failed", ": Module build failed", ": Module not found: "};
  constexpr std::array<std::string_view, 2> tool_parts{"Transform failed with 1", "error TS"};
  constexpr std::array<std::string_view, 10> shared_words{"./",
                                                          "Failed to reload ",
                                                          "Failed to load ",
                                                          "Internal Server Error",
                                                          "Internal server error",
                                                          "Pre-transform error",
                                                          "Errors while compiling",
                                                          "Build failed",
                                                          "Build error",
                                                          "Compilation failed"};
  const auto plain = without_uncaught(text);
  const auto own = without_tool(plain);
  if (begins_with_any(own, own_words) || holds_any(own, "Module ", module_parts) ||
      holds_any(own, "T", tool_parts))
    return true;
  return own.size() < plain.size() && begins_with_any(own, shared_words);
}

// Vite's `[vite] Failed to load` is a build's; a `Failed to load resource` is the browser's.
bool tells_resource(std::string_view text) {
  return without_uncaught(text).starts_with("Failed to load resource");
}

bool tells_hydration(std::string_view text) {
  constexpr std::array<std::string_view, 5> parts{
      "Hydration failed", "ydration completed but contains mismatches", "ydration node mismatch",
      "ydration text", "while hydrating"};
  constexpr std::array<std::string_view, 1> text_parts{"did not match. Server"};
  constexpr std::array<std::string_view, 2> html_parts{"server rendered HTML",
                                                       "server-rendered HTML"};
  return holds_any(text, "ydrat", parts) || holds_any(text, "Server", text_parts) ||
         holds_any(text, "HTML", html_parts);
}

bool tells_report(std::string_view text) {
  constexpr std::array<std::string_view, 6> parts{
      "The above error occurred in",         "React will try to recreate this component",
      "Consider adding an error boundary",   "Error caught by error boundary",
      "Unhandled error during execution of", "Uncaught error during route navigation"};
  return holds_any(text, parts);
}

bool tells_graphql(std::string_view text) {
  return text.starts_with("[GraphQL error]") || text.starts_with("GraphQL error") ||
         text.starts_with("[Network error]: ServerError");
}

// `TypeError: …`, perhaps after words of the page's own.
bool names_error(std::string_view line) {
  for (const std::string_view name : {"Error: ", "Exception: ", "Error:", "Exception:"})
    for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1))
      if (at == 0 || line[at - 1] == ' ' || ascii::is_letter(line[at - 1]))
        return true;
  return line.ends_with("Error") || line.ends_with("Exception");
}

bool has_frames(std::string_view text) {
  constexpr std::size_t frames_within = 2048;
  return text.find("\n    at ") != std::string_view::npos &&
         !first_location(text.substr(0, frames_within)).empty();
}

bool shows_stack(const event& e) {
  return !first_location(e.stack.view()).empty() || has_frames(e.message.view());
}

bool is_logged(const event& e) {
  return e.kind == telemetry_kind::log &&
         (e.type == entry_type::exception ||
          (e.type == entry_type::console && e.level == log_level::error));
}

/// The first two lines of a build failure, without the tool's name.
struct build_lines {
  std::string_view first;
  std::string_view second;
  bool names_file = false; ///< the first one is a file alone; what is wrong stands in the second
};

build_lines build_lines_of(const event& e) {
  constexpr std::size_t short_line = 80;
  build_lines out;
  const auto own = without_tool(without_uncaught(e.message.view()));
  out.first = first_line(own);
  const auto rest = own.substr(std::min(out.first.size() + 1, own.size()));
  out.second = first_line(rest.substr(std::min(rest.find_first_not_of(" \n"), rest.size())));
  out.names_file = out.first.find(": ") == std::string_view::npos &&
                   out.first.size() < short_line && !out.second.empty();
  return out;
}

} // namespace

logged_fault logged_fault_in(const event& e) {
  if (!is_logged(e))
    return logged_fault::none;
  if (e.build == build_state::failed)
    return logged_fault::build;
  const auto text = e.message.view().substr(0, looked_at);
  if (tells_build(text) && !tells_resource(text))
    return logged_fault::build;
  if (tells_hydration(text))
    return logged_fault::hydration;
  if (tells_graphql(text))
    return logged_fault::graphql;
  if (e.type == entry_type::console && names_error(first_line(text)) && shows_stack(e))
    return logged_fault::error;
  if (tells_report(text))
    return logged_fault::report;
  return logged_fault::none;
}

redacted_text build_reason(const event& e) {
  const auto lines = build_lines_of(e);
  auto reason = part_of(e.message, lines.first);
  if (lines.names_file)
    reason += redacted(literal{": "}, part_of(e.message, lines.second));
  const auto place = e.build == build_state::failed ? error_location(e) : redacted_text{};
  const auto file = without_position(place.view());
  if (place.empty() || reason.view().find(file) != std::string_view::npos)
    return reason;
  return redacted(place, literal{": "}, reason);
}

redacted_text build_complaint(const event& e) {
  const auto lines = build_lines_of(e);
  return part_of(e.message, lines.names_file ? lines.second : lines.first);
}

redacted_text build_file(const event& e) {
  if (e.build == build_state::failed)
    if (const auto place = error_location(e); !place.empty())
      return part_of(place, without_position(place.view()));
  constexpr std::string_view around = " \n\t\"'`()[],";
  auto rest = e.message.view().substr(0, looked_at);
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(around), rest.size()));
    auto word = rest.substr(0, rest.find_first_of(around));
    rest.remove_prefix(word.size());
    while (!word.empty() && (word.back() == '.' || word.back() == ':'))
      word.remove_suffix(1);
    word = without_position(word);
    const auto slash = word.rfind('/');
    if (slash != std::string_view::npos && word.find('.', slash) != std::string_view::npos)
      return part_of(e.message, word);
  }
  return {};
}

} // namespace gasoline
