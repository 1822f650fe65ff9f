// The redactor over running text, URLs and JSON; what is JSON stays JSON.
#include "actors/redaction/redaction_engine.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const redaction_engine engine{{{"ticket", "TCK-[0-9]{6}"}}};
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  engine.text(text);
  engine.url(text);
  const auto value = engine.json_value(text);
  if (nlohmann::json::parse(value.str(), nullptr, false).is_discarded())
    std::abort();
  return 0;
}
