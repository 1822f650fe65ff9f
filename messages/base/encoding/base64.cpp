#include "messages/base/encoding/base64.hpp"

#include <openssl/evp.h>

namespace gasoline {

std::string base64_encoded(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '\0'); // the zero that the library adds ends it
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  return out;
}

} // namespace gasoline
