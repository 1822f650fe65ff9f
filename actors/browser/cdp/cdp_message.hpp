#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// One message of a browser. Views hold until the next one is read.
struct cdp_message {
  std::uint64_t id = 0;           ///< of the command that is answered; 0: an event
  std::string_view session;       ///< empty: the browser itself
  std::string_view method;        ///< of an event
  std::string_view problem;       ///< of a command that failed
  simdjson::dom::element content; ///< `params` of an event, `result` of an answer
};

/// Reads messages of the Chrome DevTools Protocol.
class cdp_reader {
 public:
  /// Nothing: it is no message.
  std::optional<cdp_message> read(const std::string& text);

 private:
  simdjson::dom::parser parser_;
};

// What stands at a place, such as `/frame/url`; nothing, zero and false where there is none.
std::string_view text_at(const simdjson::dom::element& in, std::string_view place);
double number_at(const simdjson::dom::element& in, std::string_view place);
bool flag_at(const simdjson::dom::element& in, std::string_view place);
std::optional<simdjson::dom::element> value_at(const simdjson::dom::element& in,
                                               std::string_view place);
std::optional<simdjson::dom::array> list_at(const simdjson::dom::element& in,
                                            std::string_view place);

} // namespace gasoline
