// A body of each wire format, the first byte saying which: decoded, redacted, shown again as JSON
// that parses.
#include "actors/ingest/decoding/body_decoder.hpp"
#include "actors/ingest/formats/format_table.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "messages/telemetry/event_json.hpp"
#include "tests/fuzz/json_mutation.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_json(data, size, most, seed, 1);
}

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto engine =
      std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
  static body_decoder decoder{limits{}, engine};
  if (size == 0)
    return 0;
  const auto& format = *ingest_formats()[data[0] % ingest_formats().size()];
  const std::string body{reinterpret_cast<const char*>(data) + 1, size - 1};
  // What GitHub's header says, the length chooses.
  constexpr const char* events[] = {"workflow_run", "workflow_job", "check_run", "check_suite",
                                    "status"};
  const ingest_head head{
      .content_type = {}, .parameter = {}, .headers = {{"X-GitHub-Event", events[size % 5]}}};
  auto decoded = decoder.decode(format, body, wall_time{}, head);
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
