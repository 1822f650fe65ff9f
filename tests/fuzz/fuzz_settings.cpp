// A settings file: it is refused with a sentence, or read the same twice.
#include "config/settings.hpp"
#include "tests/fuzz/json_mutation.hpp"

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
  const auto read = apply_config_text({}, text, "config.json");
  if (!read) {
    if (read.error().message.empty())
      std::abort();
    return 0;
  }
  const auto again = apply_config_text(*read, "{}", "config.json");
  if (!again || again->port != read->port || again->state_dir != read->state_dir)
    std::abort();
  return 0;
}
