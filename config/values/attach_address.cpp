#include "config/values/attach_address.hpp"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

/// FNV-1a: the same in every build, unlike `std::hash`.
std::string hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

fs::path canonical_home(const fs::path& dir) {
  std::error_code ec;
  auto out = fs::weakly_canonical(fs::absolute(dir, ec), ec);
  if (ec)
    return dir;
  return out.has_filename() ? out : out.parent_path();
}

} // namespace

fs::path attach_socket_path(const fs::path& state_dir, const fs::path& runtime_dir) {
  const auto home = canonical_home(state_dir);
  const auto name = "engine-" + hash_of(home.string()) + ".sock";
  auto path = runtime_dir.empty() ? home / "engine.sock" : runtime_dir / "gasoline" / name;
  if (path.string().size() <= socket_path_bytes)
    return path;
  return fs::path{"/tmp"} / ("gasoline-" + std::to_string(::getuid())) / name;
}

} // namespace gasoline
