#include "actors/agents/session/session_owner.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <array>
#include <cstdio>

namespace gasoline {
namespace {

std::string hash_of(const std::string& key) {
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  ::SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(),
           reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

} // namespace

session_owner::session_owner(const session_caller& maker, const std::string& key)
    : is_for_token_(maker.trusted), origin_(maker.origin), key_hash_(hash_of(key)) {}

bool session_owner::admits(const session_caller& caller) const {
  if (caller.trusted || knows_key(caller))
    return true;
  return !is_for_token_ && caller.origin == origin_;
}

bool session_owner::knows_key(const session_caller& caller) const {
  return !key_hash_.empty() && !caller.key.empty() &&
         ::CRYPTO_memcmp(hash_of(caller.key).data(), key_hash_.data(), key_hash_.size()) == 0;
}

std::string make_session_key(const std::function<std::uint64_t()>& random) {
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
