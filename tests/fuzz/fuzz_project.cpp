// What a project says of itself: its scope file, and the roots that a client names.
#include "actors/alerts/scope/scope_file.hpp"
#include "actors/mcp/client/root_directory.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

namespace {

void check(bool holds) {
  if (!holds)
    std::abort();
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto read = parse_scope_file(text);
  check(read || !read.error().message.empty());
  scope_change change;
  change.services = std::vector<std::string>{"shop"};
  if (const auto changed = changed_scope_file(text, change)) {
    const auto again = parse_scope_file(*changed);
    check(again && again->services == *change.services);
    check(!read || again->origins == read->origins);
  }
  for (const auto& path : paths_of_root(text))
    check(!path.empty() && path.front() == '/' && path.find('\0') == std::string::npos);
  return 0;
}
