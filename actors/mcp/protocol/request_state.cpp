#include "actors/mcp/protocol/request_state.hpp"

#include "messages/base/encoding/hex.hpp"
#include "messages/base/identity/random_bytes.hpp"
#include "messages/base/json/json_text.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

namespace gasoline {
namespace {

using nlohmann::json;

/// The bytes of what `hex_text` has made; it writes no capitals.
std::optional<std::string> from_hex(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (text.size() % 2 != 0)
    return std::nullopt;
  std::string out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto high = digits.find(text[i]);
    const auto low = digits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos)
      return std::nullopt;
    out += static_cast<char>(high << 4U | low);
  }
  return out;
}

/// Appends with its length, so that no two lists of texts run together into the same bytes.
void append_sized(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

std::int64_t milliseconds_of(mono_time t) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count();
}

user_error refused() {
  return {"requestState is not one that this server gave for this request; leave out requestState "
          "and inputResponses to start again."};
}

} // namespace

request_state_seal::request_state_seal() {
  if (!fill_random(std::as_writable_bytes(std::span{key_})))
    throw std::runtime_error{"the system has no random bytes"};
}

std::string request_state_seal::signature(std::string_view payload, std::string_view client,
                                          std::string_view request) const {
  std::string signed_text;
  append_sized(signed_text, payload);
  append_sized(signed_text, client);
  append_sized(signed_text, request);
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       reinterpret_cast<const unsigned char*>(signed_text.data()), signed_text.size(), out.data(),
       &size);
  return {reinterpret_cast<const char*>(out.data()), size};
}

std::string request_state_seal::seal(const json& state, std::string_view client,
                                     std::string_view request, mono_time expires) const {
  const auto payload = dumped({{"expires", milliseconds_of(expires)}, {"state", state}});
  return hex_text(payload) + '.' + hex_text(signature(payload, client, request));
}

result_or<json> request_state_seal::open(std::string_view sealed, std::string_view client,
                                         std::string_view request, mono_time now) const {
  const auto dot = sealed.find('.');
  if (dot == std::string_view::npos)
    return tl::unexpected(refused());
  const auto payload = from_hex(sealed.substr(0, dot));
  const auto given = from_hex(sealed.substr(dot + 1));
  if (!payload || !given)
    return tl::unexpected(refused());
  const auto right = signature(*payload, client, request);
  if (given->size() != right.size() ||
      CRYPTO_memcmp(given->data(), right.data(), right.size()) != 0)
    return tl::unexpected(refused());
  auto content = json::parse(*payload);
  if (content.at("expires").get<std::int64_t>() <= milliseconds_of(now))
    return tl::unexpected(user_error{"requestState has expired; leave out requestState and "
                                     "inputResponses to start again."});
  return std::move(content.at("state"));
}

} // namespace gasoline
