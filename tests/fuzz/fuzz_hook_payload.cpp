// The document that a client gives its hook.
#include "tests/fuzz/json_mutation.hpp"
#include "tools/hook/hook_payload.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_json(data, size, most, seed, 0);
}

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto payload = parse_hook_payload(text);
  if (payload && payload->conversation.size() + payload->directory.size() > 2 * size)
    std::abort();
  (void)is_own_observe(text);
  return 0;
}
