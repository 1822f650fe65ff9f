#include "transport/websocket/websocket_handshake.hpp"

#include "messages/base/encoding/base64.hpp"
#include "messages/base/letters.hpp"
#include "transport/http/head/header_text.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view known_version = "13";
constexpr std::string_view accept_guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // section 1.3
constexpr std::size_t key_characters = 24; // 16 bytes in base64

/// Whether a comma-separated header value holds that word.
bool holds_word(std::string_view list, std::string_view word) {
  return any_part(list, ',',
                  [&](std::string_view part) { return ascii::same_letters(part, word); });
}

bool is_key(std::string_view key) {
  if (key.size() != key_characters || !key.ends_with("=="))
    return false;
  return std::all_of(key.begin(), key.end() - 2, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
  });
}

bool has_body(const http_request_view& head) {
  return !head.transfer_encoding.empty() || head.field("Content-Length").value_or("0") != "0";
}

http_response upgrade_required(std::string_view sentence) {
  auto out = http_error(426, sentence);
  out.headers = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  return out;
}

} // namespace

std::optional<http_response> refuse_handshake(const http_request_view& head) {
  if (head.method != "GET" || head.http_1_0 ||
      !holds_word(head.field("Upgrade").value_or(""), "websocket") ||
      !holds_word(head.field("Connection").value_or(""), "upgrade"))
    return upgrade_required("This route is a WebSocket; open it with a WebSocket client, which "
                            "sends GET with \"Upgrade: websocket\" and \"Connection: Upgrade\".");
  if (head.field("Sec-WebSocket-Version").value_or("") != known_version)
    return upgrade_required("This version of the WebSocket protocol is not known; send "
                            "\"Sec-WebSocket-Version: 13\".");
  if (!is_key(head.field("Sec-WebSocket-Key").value_or("")) || head.count("Sec-WebSocket-Key") != 1)
    return http_error(400, "Sec-WebSocket-Key has to be sent once, with 16 random bytes in "
                           "base64.");
  if (has_body(head))
    return http_error(400, "A WebSocket request has no body; leave it out.");
  return std::nullopt;
}

std::string websocket_accept(std::string_view key) {
  std::string text{key};
  text += accept_guid;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  return base64_encoded({reinterpret_cast<const char*>(digest.data()), size});
}

http_response accept_handshake(std::string_view key, std::function<void(http_takeover&)> take) {
  http_response out;
  out.status = 101;
  out.headers = "Upgrade: websocket\r\nSec-WebSocket-Accept: " + websocket_accept(key) + "\r\n";
  out.takeover = std::move(take);
  return out;
}

} // namespace gasoline
