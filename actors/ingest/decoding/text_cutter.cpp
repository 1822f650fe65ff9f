#include "actors/ingest/decoding/text_cutter.hpp"

#include "messages/base/utf8.hpp"

#include <algorithm>

namespace gasoline {
namespace {

/// Cuts between characters.
std::string beginning(std::string_view text, std::size_t bytes, std::size_t whole_size) {
  return std::string{utf8_beginning(text, bytes)} + "…[truncated, " + std::to_string(whole_size) +
         " bytes]";
}

} // namespace

std::string text_cutter::cut(std::string_view text, std::size_t bytes) const {
  if (text.size() <= bytes)
    return std::string{text};
  return beginning(engine_->text(text).view(), bytes, text.size());
}

std::string text_cutter::cut_json(std::string_view json, std::size_t bytes) const {
  if (json.size() <= bytes)
    return std::string{json};
  return beginning(engine_->json_value(json).view(), bytes, json.size());
}

std::string text_cutter::first_frames(std::string_view stack, std::size_t frames,
                                      std::size_t bytes) const {
  std::size_t end = 0;
  for (std::size_t n = 0; n <= frames && end < stack.size(); ++n) {
    const auto line = stack.find('\n', end);
    end = line == std::string_view::npos ? stack.size() : line + 1;
  }
  auto out = cut(stack.substr(0, end), bytes);
  if (end < stack.size())
    out +=
        "… and " +
        std::to_string(
            std::count(stack.begin() + static_cast<std::ptrdiff_t>(end), stack.end(), '\n') + 1) +
        " more frames";
  return out;
}

} // namespace gasoline
