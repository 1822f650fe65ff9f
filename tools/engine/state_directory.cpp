#include "tools/engine/state_directory.hpp"

#include "messages/base/private_file.hpp"

#include <charconv>
#include <string>
#include <system_error>

namespace gasoline {
namespace {

std::filesystem::path port_file(const std::filesystem::path& dir) {
  return dir / "port";
}

} // namespace

result_or<std::filesystem::path> make_state_directory(const std::filesystem::path& dir) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const bool made = fs::create_directories(dir, ec);
  if (ec || !fs::is_directory(dir, ec))
    return tl::unexpected(user_error{"The state directory " + dir.string() +
                                     " cannot be made; there will be no log file and no port file. "
                                     "Name a writable one with --state-dir."});
  if (made)
    fs::permissions(dir, fs::perms::owner_all, ec);
  return dir;
}

std::optional<user_error> state_directory_problem(const std::filesystem::path& dir) {
  struct stat found {};
  if (::lstat(dir.c_str(), &found) != 0)
    return std::nullopt; // it is yet to be made
  const auto problem = directory_problem(dir);
  if (!problem)
    return std::nullopt;
  return user_error{"The state directory " + dir.string() + " " + *problem +
                    ". What stands in it, the token too, would be in the hands of others; or name "
                    "another one with --state-dir."};
}

bool write_port_file(const std::filesystem::path& dir, std::uint16_t port) {
  return !replace_file(port_file(dir), std::to_string(port) + '\n');
}

std::optional<std::uint16_t> read_port_file(const std::filesystem::path& dir) {
  constexpr std::size_t most_bytes = 16;
  const auto text = read_own_file(port_file(dir), most_bytes);
  unsigned port = 0;
  if (!text)
    return std::nullopt;
  const auto* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, port);
  if (error != std::errc{} || (stop != end && *stop != '\n') || port == 0 || port > 65535)
    return std::nullopt;
  return static_cast<std::uint16_t>(port);
}

void remove_port_file(const std::filesystem::path& dir, std::uint16_t port) {
  if (read_port_file(dir) != port)
    return;
  std::error_code ec;
  std::filesystem::remove(port_file(dir), ec);
}

} // namespace gasoline
