#include "tools/doctor/script_integrity.hpp"

#include "messages/base/encoding/base64.hpp"

#include <openssl/sha.h>

#include <array>

namespace gasoline {

std::string script_integrity(std::string_view script) {
  std::array<unsigned char, SHA384_DIGEST_LENGTH> hash{};
  ::SHA384(reinterpret_cast<const unsigned char*>(script.data()), script.size(), hash.data());
  return "sha384-" + base64_encoded({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

} // namespace gasoline
