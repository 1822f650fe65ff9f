// A compressed body, the first byte saying how: no more than the cap comes out, and nothing of what
// is refused.
#include "messages/base/encoding/inflated_body.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  constexpr std::uint64_t cap = 1 << 16;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  const auto coding = static_cast<content_coding>(data[0] % 5);
  const auto out = inflate_body(coding, bytes, cap);
  if (out.bytes.size() > cap && coding != content_coding::identity)
    std::abort();
  if (out.status != inflate_status::done && !out.bytes.empty())
    std::abort();
  if (coding == content_coding::identity && out.bytes != bytes)
    std::abort();
  // What was inflated under a smaller cap is the same, or refused.
  const auto less = inflate_body(coding, bytes, out.bytes.size() / 2);
  if (coding != content_coding::identity && out.bytes.size() > 1 &&
      less.status == inflate_status::done)
    std::abort();
  return 0;
}
