#include "actors/frames/frame_rewriting.hpp"
#include "actors/frames/stack/frame_folding.hpp"
#include "actors/frames/stack/project_path.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

using namespace gasoline;

namespace {

constexpr std::string_view origin = "http://localhost:5173";
constexpr std::string_view script_address = "http://localhost:5173/app.js";

bool lies_within(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void read_stack(std::string_view stack, const source_map* map) {
  for_each_line(stack, [](std::string_view line) {
    const auto frame = parse_frame(line);
    if (frame && !(lies_within(frame->function, line) && lies_within(frame->place, line) &&
                   lies_within(frame->file, frame->place)))
      std::abort();
    return true;
  });
  (void)leading_frame(stack);
  (void)folded_message(stack);
  const auto folded = folded_stack(stack, {origin});
  if (folded.size() > stack.size() + 128)
    std::abort();
  const auto lookup = [&](std::string_view address) {
    return address == script_address ? map : nullptr;
  };
  (void)rewrite_frames(stack, origin, lookup);
}

} // namespace

// A source map, a zero byte, a stack: nothing crashes, what is read lies within what was given, and
// a map takes no more than a few times its bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  const auto end = text.find('\0');
  const auto json = text.substr(0, end);
  const auto stack = end == std::string::npos ? std::string{} : text.substr(end + 1);
  (void)named_source_map(json);
  (void)data_content(json);
  (void)project_path(json, origin);
  const auto map = source_map::parse(json, script_address, {});
  if (!map && map.error().message.empty())
    std::abort();
  if (map && map->bytes() > 64 * json.size() + 1024)
    std::abort();
  read_stack(stack, map ? &*map : nullptr);
  return 0;
}
