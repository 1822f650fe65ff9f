#include "actors/browser/entries/console_entries.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/browser/cdp/cdp_message.hpp"
#include "messages/base/utf8.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

struct console_kind {
  std::string_view type;
  std::string_view level; ///< empty: not told
};

constexpr std::array<console_kind, 18> console_kinds{{
    {"log", "log"},
    {"debug", "debug"},
    {"info", "info"},
    {"error", "error"},
    {"warning", "warn"},
    {"dir", "log"},
    {"dirxml", "log"},
    {"table", "log"},
    {"trace", "debug"},
    {"assert", "error"},
    {"count", "log"},
    {"timeEnd", "log"},
    {"clear", ""},
    {"startGroup", "log"},
    {"startGroupCollapsed", "log"},
    {"endGroup", ""},
    {"profile", ""},
    {"profileEnd", ""},
}};

constexpr std::size_t most_value_bytes = 2'048;
constexpr std::size_t most_arguments = 50;

std::string_view level_of(std::string_view type) {
  for (const auto& kind : console_kinds)
    if (kind.type == type)
      return kind.level;
  return "log";
}

std::string_view first_line_of(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

std::string_view beginning_of(std::string_view text) {
  return utf8_beginning(text, most_value_bytes);
}

/// One property of a preview, as a JSON value: its text, where it has one.
void append_preview_value(std::string& out, const dom::element& property) {
  const auto type = text_at(property, "/type");
  const auto value = text_at(property, "/value");
  if (type == "number" || type == "boolean")
    out += value.empty() || value == "NaN" || value.ends_with("Infinity") ? "null" : value;
  else
    append_json_string(out, value.empty() ? type : value);
}

/// An object as its preview shows it. Cut ones say so.
void append_preview(std::string& out, const dom::element& preview) {
  const bool is_list = text_at(preview, "/subtype") == "array";
  out += is_list ? '[' : '{';
  bool first = true;
  if (const auto properties = list_at(preview, "/properties"))
    for (const auto property : *properties) {
      if (!std::exchange(first, false))
        out += ',';
      if (!is_list) {
        append_json_string(out, text_at(property, "/name"));
        out += ':';
      }
      append_preview_value(out, property);
    }
  if (flag_at(preview, "/overflow"))
    out += first ? "\"…\"" : is_list ? ",\"…\"" : ",\"…\":\"…\"";
  out += is_list ? ']' : '}';
}

/// One argument of a console call as a JSON value of bounded size.
void append_argument(std::string& out, const dom::element& argument) {
  const auto type = text_at(argument, "/type");
  if (const auto value = value_at(argument, "/value")) {
    if (value->is_string())
      append_json_string(out, beginning_of(text_at(argument, "/value")));
    else
      append_json(out, *value);
    return;
  }
  const auto subtype = text_at(argument, "/subtype");
  const auto preview = value_at(argument, "/preview");
  if (type == "object" && subtype != "error" && subtype != "node" && preview) {
    append_preview(out, *preview);
    return;
  }
  auto description = text_at(argument, "/description");
  if (subtype == "error") // its frames are told as the stack
    description = description.substr(0, description.find("\n    at "));
  append_json_string(out, beginning_of(description.empty() ? type : description));
}

/// The error that a call is about: the first argument that is one.
std::optional<dom::element> error_among(const dom::array& arguments) {
  for (const auto argument : arguments)
    if (text_at(argument, "/subtype") == "error")
      return argument;
  return std::nullopt;
}

std::string argument_list(const dom::array& arguments, std::uint64_t most_bytes) {
  std::string out = "[";
  std::size_t taken = 0;
  for (const auto argument : arguments) {
    std::string text;
    append_argument(text, argument);
    if (taken == most_arguments || out.size() + text.size() > most_bytes)
      break;
    if (taken++ > 0)
      out += ',';
    out += text;
  }
  return out + ']';
}

/// The lines of an error's description that are frames.
std::string_view frames_in(std::string_view description) {
  const auto begin = description.find("\n    at ");
  return begin == std::string_view::npos ? std::string_view{} : description.substr(begin + 1);
}

void add_top_frame(json_object_writer& w, const dom::element& trace) {
  const auto url = text_at(trace, "/callFrames/0/url");
  if (url.empty())
    return;
  w.text("filename", url);
  w.number("lineno", static_cast<std::uint64_t>(number_at(trace, "/callFrames/0/lineNumber")) + 1);
  w.number("colno", static_cast<std::uint64_t>(number_at(trace, "/callFrames/0/columnNumber")) + 1);
}

void add_stack(json_object_writer& w, const dom::element& in, std::string_view place,
               std::string_view description) {
  const auto trace = value_at(in, place);
  if (const auto frames = frames_in(description); !frames.empty())
    w.text("stack", frames);
  else if (trace)
    w.text("stack", stack_text(*trace));
  if (trace)
    add_top_frame(w, *trace);
}

} // namespace

void add_place(json_object_writer& w, const entry_place& place) {
  w.text("url", place.url);
  if (!place.document.empty())
    w.text("page_id", place.document);
  if (!place.tab.empty())
    w.text("tab", place.tab);
  if (!place.frame.empty())
    w.text("frame", place.frame);
  if (place.late)
    w.boolean("seen_late", true);
}

std::string browser_time(double milliseconds) {
  return to_iso8601(wall_time{std::chrono::milliseconds{std::llround(milliseconds)}});
}

std::string stack_text(const dom::element& trace) {
  std::string out;
  const auto frames = list_at(trace, "/callFrames");
  if (!frames)
    return out;
  for (const auto frame : *frames) {
    const auto function = text_at(frame, "/functionName");
    std::string position{text_at(frame, "/url")};
    position += ':' + std::to_string(std::llround(number_at(frame, "/lineNumber")) + 1);
    position += ':' + std::to_string(std::llround(number_at(frame, "/columnNumber")) + 1);
    out += out.empty() ? "    at " : "\n    at ";
    out += function.empty() ? position : std::string{function} + " (" + position + ")";
  }
  return out;
}

std::string console_entry(const dom::element& event, const entry_place& place,
                          const limits_of<entry_room>& limit) {
  const auto type = text_at(event, "/type");
  const auto level = level_of(type);
  const auto arguments = list_at(event, "/args");
  if (level.empty() || !arguments)
    return {};
  const auto error = error_among(*arguments);
  const bool is_exception = level == "error" && error;
  std::string out;
  json_object_writer w{out};
  w.text("ts", browser_time(number_at(event, "/timestamp")));
  w.text("level", level).text("type", is_exception ? "exception" : "console");
  if (type == "assert")
    w.text("format", "Assertion failed:");
  if (is_exception && arguments->size() == 1)
    w.text("message", first_line_of(text_at(*error, "/description")));
  else
    w.raw("args", argument_list(*arguments, limit.entry.message_bytes));
  if (is_exception)
    w.text("reported_by", "console");
  if (level == "error" || is_exception)
    add_stack(w, event, "/stackTrace", is_exception ? text_at(*error, "/description") : "");
  add_place(w, place);
  w.close();
  return out;
}

std::string exception_entry(const dom::element& event, const entry_place& place) {
  const auto details = value_at(event, "/exceptionDetails").value_or(event);
  const auto description = text_at(details, "/exception/description");
  const auto value = value_at(details, "/exception/value");
  const auto text = text_at(details, "/text");
  const bool is_rejection = text.find("(in promise)") != std::string_view::npos;
  std::string thrown{first_line_of(description)};
  if (thrown.empty() && value)
    thrown = text_of(*value);
  std::string message = is_rejection ? "Unhandled rejection: " : "Uncaught ";
  message += thrown.empty() ? std::string{text} : thrown;
  std::string out;
  json_object_writer w{out};
  w.text("ts", browser_time(number_at(event, "/timestamp")));
  w.text("level", "error").text("type", "exception").text("message", message);
  if (const auto frames = frames_in(description); !frames.empty())
    w.text("stack", frames);
  else if (const auto trace = value_at(details, "/stackTrace"))
    w.text("stack", stack_text(*trace));
  if (const auto file = text_at(details, "/url"); !file.empty()) {
    w.text("filename", file);
    w.number("lineno", static_cast<std::uint64_t>(number_at(details, "/lineNumber")) + 1);
    w.number("colno", static_cast<std::uint64_t>(number_at(details, "/columnNumber")) + 1);
  }
  add_place(w, place);
  w.close();
  return out;
}

std::string browser_entry(const dom::element& event, const entry_place& place) {
  const auto source = text_at(event, "/entry/source");
  if (source == "network" || source == "javascript" || source == "worker")
    return {};
  // What policies block, and mixed content, are told by the page and as issues.
  const auto said = text_at(event, "/entry/text");
  if (source == "security" && (said.find("Content Security Policy") != std::string_view::npos ||
                               said.starts_with("Mixed Content")))
    return {};
  const auto level = text_at(event, "/entry/level");
  std::string out;
  json_object_writer w{out};
  w.text("ts", browser_time(number_at(event, "/entry/timestamp")));
  w.text("level", level == "verbose" ? "debug" : level == "warning" ? "warn" : level);
  w.text("type", source == "security" ? "security" : "console");
  w.text("message", text_at(event, "/entry/text"));
  w.text("browser_source", source);
  if (const auto file = text_at(event, "/entry/url"); !file.empty()) {
    w.text("filename", file);
    w.number("lineno", static_cast<std::uint64_t>(number_at(event, "/entry/lineNumber")) + 1);
  }
  add_place(w, place);
  w.close();
  return out;
}

} // namespace gasoline
