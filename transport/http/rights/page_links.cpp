#include "transport/http/rights/page_links.hpp"

#include "messages/base/encoding/hex.hpp"
#include "messages/base/identity/random_bytes.hpp"
#include "transport/http/head/header_text.hpp"
#include "transport/http/rights/bearer_gate.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace gasoline {
namespace {

constexpr std::size_t most_links = 16; // the oldest goes
constexpr std::chrono::minutes code_life{1};
constexpr std::chrono::hours cookie_life{12};
constexpr std::string_view cookie_name = "gasoline_page";

std::string hash_of_secret(std::string_view secret) {
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  ::SHA256(reinterpret_cast<const unsigned char*>(secret.data()), secret.size(),
           reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

/// 256 bits as hexadecimal digits; empty when there are none.
std::string make_secret() {
  std::array<char, 32> bytes{};
  if (!fill_random(std::as_writable_bytes(std::span{bytes})))
    return {};
  return hex_text({bytes.data(), bytes.size()});
}

} // namespace

void page_links::keep(std::deque<kept_secret>& in, std::string_view secret, time_point until) {
  if (in.size() >= most_links)
    in.pop_front();
  in.push_back({hash_of_secret(secret), until});
}

std::deque<page_links::kept_secret>::const_iterator
page_links::find(const std::deque<kept_secret>& in, std::string_view secret, time_point now) {
  const auto hash = hash_of_secret(secret);
  return std::find_if(in.begin(), in.end(), [&](const kept_secret& one) {
    return one.until > now && equal_in_constant_time(one.hash, hash);
  });
}

std::string page_links::make_code(time_point now) {
  auto code = make_secret();
  if (!code.empty())
    keep(codes_, code, now + code_life);
  return code;
}

std::optional<std::string> page_links::redeem(std::string_view code, time_point now) {
  const auto found = find(codes_, code, now);
  if (found == codes_.end())
    return std::nullopt;
  codes_.erase(found);
  auto cookie = make_secret();
  if (cookie.empty())
    return std::nullopt;
  keep(cookies_, cookie, now + cookie_life);
  return cookie;
}

bool page_links::admits(std::string_view cookies, time_point now) const {
  while (!cookies.empty() && !cookies_.empty()) {
    const auto end = std::min(cookies.find(';'), cookies.size());
    const auto pair = trimmed(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos || pair.substr(0, equals) != cookie_name)
      continue;
    if (find(cookies_, pair.substr(equals + 1), now) != cookies_.end())
      return true;
  }
  return false;
}

std::string page_links::set_cookie_line(std::string_view cookie) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(cookie_life).count();
  return "Set-Cookie: " + std::string{cookie_name} + '=' + std::string{cookie} +
         "; Path=/; Max-Age=" + std::to_string(seconds) + "; HttpOnly; SameSite=Strict\r\n";
}

} // namespace gasoline
