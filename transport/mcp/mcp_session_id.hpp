#pragma once

#include <string>

namespace gasoline {

/// A random UUID (RFC 9562, version 4) from the cryptographic generator of OpenSSL: 122 bits that
/// nobody guesses. Throws `std::runtime_error` when the generator has no entropy.
std::string make_mcp_session_id();

} // namespace gasoline
