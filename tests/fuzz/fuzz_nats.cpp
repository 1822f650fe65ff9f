// What a NATS server sends: descriptions of streams, errors, reply subjects, messages of strangers.
#include "tests/fuzz/json_mutation.hpp"
#include "transport/nats/jetstream_codec.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_json(data, size, most, seed, 0);
}

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_discarded()) {
    error_of(document);
    jetstream_stream_of(document);
  }
  if (const auto name = stream_of_jetstream(text); name && jetstream_name(*name) != text)
    std::abort();
  // Lines: reply subject, subject, the headers in their order, then the data.
  std::string_view rest = text;
  const auto line = [&rest] {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto out = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return std::string{out};
  };
  const auto reply = line();
  const auto place = delivery_place_of(reply);
  if (!place)
    return 0;
  nats_message message;
  message.subject = line();
  for (auto& header : message.headers)
    header = line();
  message.data = rest;
  if (event_of("news", std::move(message), *place).id != place->id)
    std::abort();
  return 0;
}
