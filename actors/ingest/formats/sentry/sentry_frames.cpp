#include "actors/ingest/formats/sentry/sentry_frames.hpp"

#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

bool is_library(const dom::element& frame) {
  const auto in_app = member_in(frame, "in_app");
  return in_app && in_app->is_bool() && !bool{*in_app};
}

// A Sentry trace ends with the call that threw.
std::vector<dom::element> frames_in_order(const dom::element& stack) {
  const auto list = member_in(stack, "frames");
  auto frames = list ? values_of(*list) : std::vector<dom::element>{};
  std::reverse(frames.begin(), frames.end());
  std::stable_partition(frames.begin(), frames.end(),
                        [](const dom::element& frame) { return !is_library(frame); });
  return frames;
}

void append_number(std::string& out, const dom::element& frame, std::string_view name) {
  std::uint64_t number = 0;
  const auto found = member_in(frame, name);
  if (found && found->get_uint64().get(number) == simdjson::SUCCESS && number > 0)
    out.append(":").append(std::to_string(number));
}

bool is_whole_path(std::string_view path) {
  return path.starts_with('/') || path.find("://") != std::string_view::npos ||
         path.substr(1).starts_with(":\\");
}

std::string place_of_frame(const dom::element& frame) {
  auto file = text_in(frame, "abs_path");
  if (file.empty() || !is_whole_path(file))
    if (const auto name = text_in(frame, "filename"); !name.empty())
      file = name;
  if (file.empty())
    file = text_in(frame, "module");
  std::string out{file};
  if (out.empty())
    return out;
  append_number(out, frame, "lineno");
  append_number(out, frame, "colno");
  return out;
}

// `?` and `Object.?` are a SDK's words for a function without a name.
std::string_view function_of_frame(const dom::element& frame) {
  const auto name = text_in(frame, "function");
  return name.ends_with('?') || name == "<anonymous>" ? std::string_view{} : name;
}

} // namespace

std::string sentry_frames(const dom::element& stack, std::size_t most) {
  std::string out;
  std::size_t written = 0;
  for (const auto& frame : frames_in_order(stack)) {
    const auto place = place_of_frame(frame);
    if (place.empty() || written == most)
      continue;
    ++written;
    out += out.empty() ? "    at " : "\n    at ";
    if (const auto function = function_of_frame(frame); !function.empty())
      out.append(function).append(" (").append(place).append(")");
    else
      out += place;
  }
  return out;
}

std::string sentry_place(const dom::element& stack) {
  for (const auto& frame : frames_in_order(stack))
    if (auto place = place_of_frame(frame); !place.empty())
      return place;
  return {};
}

std::string sentry_source_line(const dom::element& stack) {
  for (const auto& frame : frames_in_order(stack)) {
    if (place_of_frame(frame).empty())
      continue;
    const auto line = text_in(frame, "context_line");
    return std::string{line.substr(std::min(line.find_first_not_of(" \t"), line.size()))};
  }
  return {};
}

} // namespace gasoline
