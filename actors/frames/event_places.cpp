#include "actors/frames/event_places.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/frames/stack/frame_folding.hpp"
#include "actors/frames/stack/project_path.hpp"
#include "messages/base/json/json_text.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gasoline {
namespace {

constexpr std::size_t most_scripts = 12;

/// The fields of an event as a document, or nothing. `parser` keeps it.
std::optional<simdjson::dom::object> document_of(simdjson::dom::parser& parser,
                                                 const raw_event& e) {
  simdjson::dom::object out;
  if (parser.parse("{" + e.fields + "}").get(out) != simdjson::SUCCESS)
    return std::nullopt;
  return out;
}

bool holds_key(const raw_event& e, std::string_view key) {
  return e.fields.find(key) != std::string::npos;
}

/// The fields of a document again, each member's value as `write(out, name, value)` writes it,
/// which answers false for a member that goes.
template <class Write>
std::string fields_of(const simdjson::dom::object& document, Write write) {
  std::string out;
  for (const auto& [name, value] : document) {
    std::string text;
    if (!write(text, name, value))
      continue;
    if (!out.empty())
      out += ',';
    append_json_string(out, name);
    out.append(":").append(text);
  }
  return out;
}

bool has_placed_frames(std::string_view stack) {
  bool found = false;
  for_each_line(stack, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    found = frame && !frame->place.empty();
    return !found;
  });
  return found;
}

/// Where an event stands that names its script by `filename`, `lineno` and `colno`, as a line of a
/// stack; empty: it names none of `origin`, and no evaluated module.
std::string told_place(const raw_event& e, std::string_view origin) {
  const auto is_led = [&](std::string_view file) {
    return is_bundler_address(file) || take_apart(file).origin == origin;
  };
  if (origin.empty() || !is_led(told_script(e)))
    return {};
  simdjson::dom::parser parser;
  const auto document = document_of(parser, e);
  std::string_view file;
  std::uint64_t line = 0;
  if (!document || (*document)["filename"].get(file) != simdjson::SUCCESS ||
      (*document)["lineno"].get(line) != simdjson::SUCCESS || line == 0 || !is_led(file))
    return {};
  std::string out = "at ";
  out.append(file).append(":").append(std::to_string(line));
  std::uint64_t column = 0;
  if ((*document)["colno"].get(column) == simdjson::SUCCESS && column > 0)
    out.append(":").append(std::to_string(column));
  return out;
}

} // namespace

std::string_view told_text(const raw_event& e, std::string_view name) {
  const auto key = '"' + std::string{name} + "\":\"";
  const auto at = e.fields.find(key);
  if (at == std::string::npos)
    return {};
  const auto begin = at + key.size();
  const auto end = std::min(e.fields.find('"', begin), e.fields.size());
  return std::string_view{e.fields}.substr(begin, end - begin);
}

std::string_view told_script(const raw_event& e) {
  return told_text(e, "filename");
}

bool lead_place_back(raw_event& e, std::string_view origin, const map_lookup& maps) {
  const auto place = told_place(e, origin);
  if (place.empty())
    return false;
  const auto found = rewrite_frames(place, origin, maps);
  const auto frame = found.mapped > 0 ? parse_frame(found.text) : std::nullopt;
  if (!frame || frame->place.empty())
    return false;
  simdjson::dom::parser parser;
  const auto document = document_of(parser, e);
  e.fields = fields_of(
      *document, [&](std::string& out, std::string_view name, const simdjson::dom::element& value) {
        if (name == "filename")
          append_json_string(out, frame->file);
        else if (name == "lineno")
          out = std::to_string(frame->line);
        else if (name == "colno")
          out = std::to_string(frame->column);
        else if (name == "source")
          append_json_string(out, frame->place);
        else
          out = simdjson::minify(value);
        return true;
      });
  return true;
}

std::string places_of(const raw_event& e, std::string_view origin) {
  return has_placed_frames(e.stack) ? e.stack : told_place(e, origin);
}

bool has_evaluated_frames(std::string_view stack) {
  bool found = false;
  for_each_line(stack, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    found = frame && is_bundler_address(frame->file) && !is_library_frame(*frame);
    return !found;
  });
  return found;
}

std::vector<std::string> listed_scripts(const raw_event& e, std::string_view origin) {
  std::vector<std::string> out;
  if (!holds_key(e, R"("scripts":)"))
    return out;
  simdjson::dom::parser parser;
  const auto document = document_of(parser, e);
  simdjson::dom::array list;
  if (!document || (*document)["scripts"].get(list) != simdjson::SUCCESS)
    return out;
  for (const auto each : list) {
    std::string_view address;
    stack_frame frame;
    if (each.get(address) != simdjson::SUCCESS || take_apart(address).origin != origin)
      continue;
    frame.file = address;
    if (!is_library_frame(frame))
      out.emplace_back(address);
  }
  std::reverse(out.begin(), out.end());
  out.resize(std::min(out.size(), most_scripts));
  return out;
}

void drop_listed_scripts(raw_event& e) {
  if (!holds_key(e, R"("scripts":)"))
    return;
  simdjson::dom::parser parser;
  if (const auto document = document_of(parser, e))
    e.fields = fields_of(*document, [](std::string& out, std::string_view name,
                                       const simdjson::dom::element& value) {
      out = simdjson::minify(value);
      return name != "scripts";
    });
}

} // namespace gasoline
