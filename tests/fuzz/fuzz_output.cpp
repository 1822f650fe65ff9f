#include "tools/run/output_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// The output of a command, in pieces whose size the first byte says: nothing crashes the reader or
// makes it keep more than it may.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  const std::size_t piece = data[0] + 1U;
  output_reader reader;
  mono_time now{};
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    now += std::chrono::milliseconds{data[0] % 7 == 0 ? 600 : 1};
    if (data[0] % 5 == 0 && bytes.size() % 3 == 0)
      reader.skip(now);
    reader.take(bytes.substr(0, piece), now);
  }
  reader.finish(data[0] % 2, now);
  if (reader.last_lines().size() > 15)
    std::abort();
  for (const auto& found : reader.take_findings())
    if (found.failures.size() > 100 || found.message.size() > (128U << 10U))
      std::abort();
  return 0;
}
