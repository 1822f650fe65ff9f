// One line of a client, cut at arbitrary places, through the splitter and the decoder.
#include "transport/json_rpc.hpp"
#include "transport/line_splitter.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  const std::size_t step = data[0] + 1U;
  limits limit;
  limit.client.rpc_depth = 16;
  line_splitter splitter{4096};
  const auto line = [&](std::string_view text) {
    const auto frame = decode_rpc(text, limit);
    if (frame.messages.empty())
      std::abort();
    for (const auto& message : frame.messages)
      if (const auto* fault = std::get_if<rpc_fault>(&message))
        if (error_text(fault->id, fault->code, fault->message).empty())
          std::abort();
  };
  for (std::size_t i = 0; i < bytes.size(); i += step)
    splitter.feed(bytes.substr(i, step), line, [] {});
  splitter.finish(line, [] {});
  return 0;
}
