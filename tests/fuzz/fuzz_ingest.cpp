// A POST body of each route: decoded, redacted, shown again as JSON that parses.
#include "actors/ingest/formats/event_decoder.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "messages/telemetry/event_json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto engine =
      std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
  static event_decoder decoder{limits{}, engine};
  if (size == 0)
    return 0;
  const auto source = static_cast<event_source>(data[0] % enum_table<event_source>::rows.size());
  const std::string body{reinterpret_cast<const char*>(data) + 1, size - 1};
  auto decoded = decoder.decode(source, body, wall_time{});
  if (!decoded)
    return 0;
  for (auto& raw : decoded->events) {
    const auto clean = engine->redact(std::move(raw));
    std::string text;
    append_event_json(text, *clean);
    if (nlohmann::json::parse(text, nullptr, false).is_discarded())
      std::abort();
  }
  return 0;
}
