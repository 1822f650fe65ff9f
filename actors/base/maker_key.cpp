#include "actors/base/maker_key.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <array>
#include <cstdio>

namespace gasoline {
namespace {

std::string sha256_of(const std::string& text) {
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
           reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

} // namespace

key_hash::key_hash(const std::string& key) : hash_(key.empty() ? key : sha256_of(key)) {}

bool key_hash::is_of(const std::string& shown) const {
  return !hash_.empty() && !shown.empty() &&
         ::CRYPTO_memcmp(sha256_of(shown).data(), hash_.data(), hash_.size()) == 0;
}

std::string make_maker_key(const std::function<std::uint64_t()>& random) {
  constexpr int words = 4;
  std::string out;
  for (int i = 0; i < words; ++i) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx",
                  static_cast<unsigned long long>(random()));
    out += digits.data();
  }
  return out;
}

} // namespace gasoline
