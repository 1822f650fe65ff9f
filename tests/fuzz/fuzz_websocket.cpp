// Frames of a WebSocket client, cut at arbitrary places: what is told does not depend on the cuts,
// and no message is longer than its cap.
#include "transport/websocket/websocket_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace gasoline;

namespace {

constexpr std::size_t most_bytes = 512;

class heard : public websocket_events {
 public:
  void on_text(std::string text) override {
    if (text.size() > most_bytes)
      std::abort();
    all += "t" + text + "\n";
  }
  void on_ping(std::string_view payload) override {
    if (payload.size() > 125)
      std::abort();
    all += "p" + std::string{payload} + "\n";
  }
  void on_close(std::uint16_t code) override { all += "c" + std::to_string(code); }

  std::string all;
};

std::string read(std::string_view bytes, std::size_t step) {
  websocket_reader reader{most_bytes};
  heard out;
  for (std::size_t i = 0; i < bytes.size(); i += step)
    if (const auto fault = reader.feed(bytes.substr(i, step), out))
      return out.all + std::string{fault->sentence};
  return out.all;
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
