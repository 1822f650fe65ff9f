#include "actors/detection/fault/stack_frames.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/frames/stack/stack_frame.hpp"

namespace gasoline {
namespace {

std::string_view plain_function(std::string_view name) {
  for (const std::string_view start : {"async ", "async*", "Object.", "Module.", "window."})
    if (name.starts_with(start))
      name.remove_prefix(start.size());
  name = name.substr(0, name.find(" [as "));
  name = name.substr(0, name.find("/<"));
  const bool anonymous = name.find('<') != std::string_view::npos || name == "eval";
  return anonymous ? std::string_view{} : name;
}

template <class Visit>
void for_each_located(std::string_view stack, Visit visit) {
  for_each_line(stack, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    return !frame || frame->place.empty() || visit(*frame);
  });
}

} // namespace

std::string_view frame_location(std::string_view line) {
  const auto frame = parse_frame(line);
  return frame ? frame->place : std::string_view{};
}

std::string_view first_location(std::string_view stack) {
  std::string_view found;
  for_each_located(stack, [&](const stack_frame& frame) {
    found = frame.place;
    return false;
  });
  return found;
}

std::string_view first_function(std::string_view stack) {
  std::string_view found;
  for_each_located(stack, [&](const stack_frame& frame) {
    found = plain_function(frame.function);
    return false;
  });
  return found;
}

bool is_extension_only(std::string_view stack) {
  bool any = false;
  bool all = true;
  for_each_located(stack, [&](const stack_frame& frame) {
    any = true;
    all = is_extension_scheme(take_apart(frame.file).scheme);
    return all;
  });
  return any && all;
}

} // namespace gasoline
