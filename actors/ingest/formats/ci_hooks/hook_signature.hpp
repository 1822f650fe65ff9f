#pragma once

#include <string>
#include <string_view>

namespace gasoline {

// Signatures of webhooks, over the bytes as they came.

/// HMAC-SHA256, raw bytes.
std::string hmac_sha256(std::string_view key, std::string_view message);

/// The same as lower-case hexadecimal digits.
std::string hmac_sha256_hex(std::string_view key, std::string_view message);

/// The same in base64.
std::string hmac_sha256_base64(std::string_view key, std::string_view message);

/// Compares in a time that does not tell where two texts differ.
bool same_signature(std::string_view a, std::string_view b);

/// The bytes of a base64 text; empty: it is none.
std::string base64_bytes(std::string_view text);

} // namespace gasoline
