#include "tools/doctor/script_integrity.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace gasoline {

std::string script_integrity(std::string_view script) {
  std::array<unsigned char, SHA384_DIGEST_LENGTH> hash{};
  ::SHA384(reinterpret_cast<const unsigned char*>(script.data()), script.size(), hash.data());
  // 48 bytes make 64 letters without padding, and the function adds a zero byte.
  std::array<unsigned char, SHA384_DIGEST_LENGTH / 3 * 4 + 1> text{};
  const auto size = ::EVP_EncodeBlock(text.data(), hash.data(), static_cast<int>(hash.size()));
  return "sha384-" +
         std::string(reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(size));
}

} // namespace gasoline
