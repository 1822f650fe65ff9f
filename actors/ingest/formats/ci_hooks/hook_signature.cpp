#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"

#include "messages/base/encoding/base64.hpp"
#include "messages/base/encoding/hex.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace gasoline {

std::string hmac_sha256(std::string_view key, std::string_view message) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(message.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, message.size(),
           bytes.data(), &size) == nullptr)
    return {};
  return {reinterpret_cast<const char*>(bytes.data()), size};
}

std::string hmac_sha256_hex(std::string_view key, std::string_view message) {
  return hex_text(hmac_sha256(key, message));
}

std::string hmac_sha256_base64(std::string_view key, std::string_view message) {
  return base64_encoded(hmac_sha256(key, message));
}

bool same_signature(std::string_view a, std::string_view b) {
  return !a.empty() && a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string base64_bytes(std::string_view text) {
  constexpr std::size_t most = 1024;
  if (text.empty() || text.size() > most || text.size() % 4 != 0)
    return {};
  std::string out(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0)
    return {};
  // The length counts the padding.
  const auto padding = text.size() - 1 - text.find_last_not_of('=');
  out.resize(static_cast<std::size_t>(size) - std::min<std::size_t>(padding, 2));
  return out;
}

} // namespace gasoline
