#include "tools/engine/access_token.hpp"

#include "messages/base/identity/random_bytes.hpp"
#include "messages/base/letters.hpp"
#include "messages/base/private_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>

namespace gasoline {
namespace {

constexpr std::size_t token_bytes = 32;
constexpr std::size_t longest_token = 1024;

/// A file with a secret, and what it is for.
struct secret_file {
  const std::filesystem::path& path;
  const secret_use& use = access_token_use;
};

tl::unexpected<user_error> refuse(const secret_file& file, const std::string& what) {
  return tl::unexpected(
      user_error{"The " + std::string{file.use.file} + " " + file.path.string() + " " + what});
}

/// Base64 with the letters that need no escaping in a URL.
std::string url_safe(const std::array<unsigned char, token_bytes>& bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned bits = 0;
  unsigned held = 0;
  for (const unsigned char byte : bytes) {
    held = held << 8U | byte;
    for (bits += 8; bits >= 6; bits -= 6)
      out += letters[held >> (bits - 6) & 63U];
  }
  out += letters[held << (6 - bits) & 63U];
  return out;
}

result_or<std::string> make_token(const std::filesystem::path& file) {
  std::array<unsigned char, token_bytes> bytes{};
  if (!fill_random(std::as_writable_bytes(std::span{bytes})))
    return refuse({file}, "cannot be made: the system has no random bytes.");
  auto token = url_safe(bytes);
  if (const auto problem = replace_file(file, token + '\n'))
    return refuse({file}, "cannot be made; name a writable directory with --state-dir. " +
                              problem->message);
  return token;
}

result_or<std::string> read_opened(const file_descriptor& fd, const secret_file& file) {
  const std::string setting{file.use.setting};
  const std::string secret{file.use.secret};
  struct stat found {};
  if (!fd || ::fstat(fd.get(), &found) != 0 || !S_ISREG(found.st_mode))
    return refuse(file, "cannot be read; name an existing file with " + setting + ".");
  if (const auto problem = ownership_problem(found))
    return refuse(file, *problem + "; name one of your own with " + setting + ".");
  if (const auto problem = secrecy_problem(found))
    return refuse(file,
                  *problem + "; make it yours alone with `chmod 600 " + file.path.string() + "`.");
  std::array<char, longest_token + 1> text{};
  const auto n = ::read(fd.get(), text.data(), text.size());
  const auto token = ascii::trimmed({text.data(), n > 0 ? static_cast<std::size_t>(n) : 0});
  if (token.empty())
    return refuse(file, "is empty; write a " + secret +
                            " of your own into it, such as the output of " +
                            "`openssl rand -hex 32`.");
  const bool printable =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!printable || token.size() > longest_token)
    return refuse(file, "holds no " + secret +
                            "; valid is one line of at most 1024 printable ASCII characters "
                            "without blanks.");
  return std::string{token};
}

constexpr int reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

} // namespace

result_or<std::string> read_secret_file(const std::filesystem::path& file, const secret_use& use) {
  return read_opened(file_descriptor{::open(file.c_str(), reading)}, {file, use});
}

std::filesystem::path token_path(const settings& config) {
  return config.token_file.empty() ? config.state_dir / "token" : config.token_file;
}

result_or<std::string> read_token(const settings& config) {
  if (!config.token_file.empty())
    return read_secret_file(config.token_file, access_token_use);
  const auto file = token_path(config);
  return read_opened(file_descriptor{::open(file.c_str(), reading | O_NOFOLLOW)}, {file});
}

result_or<std::string> load_token(const settings& config) {
  const auto file = token_path(config);
  std::error_code ec;
  if (config.token_file.empty() && !std::filesystem::exists(file, ec))
    return make_token(file);
  return read_token(config);
}

} // namespace gasoline
