// A stream of Server-Sent Events, cut at arbitrary places: what is told does not depend on the
// cuts, and no event is larger than its cap.
#include "messages/base/sse_parser.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

namespace {

constexpr std::size_t most_bytes = 256;

std::string read(std::string_view bytes, std::size_t step) {
  sse_parser parser{most_bytes};
  std::string all;
  for (std::size_t i = 0; i < bytes.size(); i += step)
    parser.feed(bytes.substr(i, step), [&](const sse_received& event) {
      if (event.data.size() > most_bytes)
        std::abort();
      all += event.id + '|' + event.type + '|' + event.data + '\n';
    });
  return all + parser.last_id() + (parser.overflowed() ? "!" : "");
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2)
    return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  if (read(bytes, bytes.size()) != read(bytes, data[0] % 16 + 1U))
    std::abort();
  return 0;
}
