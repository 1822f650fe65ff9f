// What comes to the routes and sockets of agent sessions, the first byte saying which: bodies that
// make a session, scripts, filters of watchers, events that an agent elsewhere feeds.
#include "actors/agents/providers/model_script.hpp"
#include "actors/agents/session/external_events.hpp"
#include "messages/agents/session_filter.hpp"
#include "messages/base/json/json_text.hpp"
#include "tests/fuzz/json_mutation.hpp"
#include "transport/routes/session_answers.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

namespace {

void check(bool holds) {
  if (!holds)
    std::abort();
}

/// An event that was taken is one of the catalog, and the next body finds the state that it left.
void feed(const nlohmann::json& body, const limits& limit) {
  int made = 0;
  external_events events{limit, [&made] { return "msg_" + std::to_string(++made); }};
  const auto bodies = body.is_array() ? body : nlohmann::json::array({body});
  for (const auto& one : bodies) {
    const auto taken = events.read(one);
    if (!taken) {
      check(!taken.error().message.empty());
      continue;
    }
    for (const auto& event : *taken) {
      check(event.draft.payload.is_object());
      check(!payload_fault(event.draft.type, event.draft.payload));
    }
  }
}

void filter(const nlohmann::json& document) {
  const auto read = parse_session_filter(document);
  if (!read) {
    check(!read.error().message.empty());
    return;
  }
  const auto shown = to_json_document(*read);
  const auto again = parse_session_filter(shown);
  check(again && to_json_document(*again) == shown);
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_json(data, size, most, seed, 1);
}

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  static const limits limit = [] {
    limits out;
    out.ingest.json_depth = 64;
    out.session.message_bytes = 4096;
    return out;
  }();
  const auto body = session_body({reinterpret_cast<const char*>(data) + 1, size - 1}, limit);
  if (!body) {
    check(body.error().status >= 400);
    return 0;
  }
  switch (data[0] % 3) {
  case 0:
    feed(**body, limit);
    break;
  case 1:
    filter(**body);
    break;
  default:
    if (const auto script = read_model_script(**body); !script)
      check(!script.error().message.empty());
  }
  return 0;
}
