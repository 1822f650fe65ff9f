// The scenario reader, and a whole engine under virtual time for what it accepts.
#include "tools/replay/scenario_player.hpp"

#include <cstdint>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto parsed = parse_scenario({reinterpret_cast<const char*>(data), size});
  if (!parsed || parsed->steps.size() > 20)
    return 0;
  for (const auto& step : parsed->steps)
    if (step.at > std::chrono::minutes{5})
      return 0;
  static_cast<void>(play_scenario(*parsed, [](const playback_line&) {}));
  return 0;
}
