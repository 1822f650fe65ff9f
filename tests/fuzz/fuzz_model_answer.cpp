// The answer of a model, as each provider streams it, cut at arbitrary places: it ends once, and
// nothing follows its end.
#include "actors/agents/providers/provider_table.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2)
    return 0;
  const auto rows = provider_table();
  const std::size_t step = data[0] + 1U;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 2, size - 2};
  limits limit;
  limit.session.call_bytes = 64 << 10;
  const auto answer = rows[data[1] % rows.size()].stream(limit);
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    const bool was_over = answer->ended();
    if (!answer->feed(bytes.substr(i, step)).empty() && was_over)
      std::abort();
  }
  const bool was_over = answer->ended();
  if (!answer->end().empty() && was_over)
    std::abort();
  if (!answer->ended())
    std::abort();
  return 0;
}
