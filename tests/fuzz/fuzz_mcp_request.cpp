// Messages of MCP clients of both eras, line by line: what they claim, whether their headers and
// arguments hold, and what a pump remembers of them for an engine that comes later.
#include "actors/mcp/protocol/argument_texts.hpp"
#include "actors/mcp/protocol/connection_era.hpp"
#include "actors/mcp/protocol/request_claims.hpp"
#include "tests/fuzz/json_mutation.hpp"
#include "transport/attach/attach_memory.hpp"
#include "transport/json_rpc.hpp"
#include "transport/mcp/mcp_headers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace gasoline;

namespace {

const nlohmann::json& wanted_arguments() {
  static const auto schema = nlohmann::json::parse(R"({"type":"object","properties":{
    "limit":{"type":"integer"},"what":{"type":"string"},"list":{"type":"array"},
    "rule":{"type":"object"},"on":{"type":"boolean"},"near":{"type":"number"}}})");
  return schema;
}

void read_call(const rpc_call& call, connection_era& era, const limits& limit) {
  const bool claimed = claims_version(call.params);
  (void)era.classify(call.method, claimed);
  (void)legacy_claims(call.params);
  const auto claims = modern_claims(call.params);
  if (!claims &&
      (claims.error().sentence.empty() ||
       error_text(call.id, claims.error().code, claims.error().sentence, claims.error().data)
           .empty()))
    std::abort();
  const http_request_view bare{};
  if (const auto refused = check_modern_request(bare, call); refused && refused->sentence.empty())
    std::abort();
  auto arguments =
      call.params.is_object() ? call.params.value("arguments", nlohmann::json{}) : nlohmann::json{};
  read_arguments_text(arguments, limit);
  read_argument_texts(arguments, wanted_arguments(), limit);
  (void)header_parameters_of(arguments);
  (void)client_identity(bare, call.params);
}

void read_line(std::string_view text, attach_memory& memory, connection_era& era,
               const limits& limit) {
  const auto frame = decode_rpc(text, limit);
  for (const auto& message : frame.messages)
    if (const auto* call = std::get_if<rpc_call>(&message))
      read_call(*call, era, limit);
  (void)era_of(http_request_view{}, frame);
  if (!memory.is_stale(frame))
    memory.sent(frame);
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_json(data, size, most, seed, 1);
}

// The lines of the client and those of its engine (which the bits of the first byte tell) take
// turns; then the engine is gone and another comes.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  std::string_view rest{reinterpret_cast<const char*>(data) + 1, size - 1};
  limits limit;
  limit.client.rpc_depth = 32;
  attach_memory memory;
  connection_era era;
  for (unsigned n = 0; !rest.empty(); ++n) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if ((data[0] >> (n % 8U) & 1U) != 0)
      (void)memory.received(decode_rpc(line, limit));
    else
      read_line(line, memory, era, limit);
  }
  (void)memory.lose_engine();
  if (memory.under_way() != 0)
    std::abort();
  for (const auto& line : memory.handshake())
    if (nlohmann::json::parse(line, nullptr, false).is_discarded())
      std::abort();
  return 0;
}
