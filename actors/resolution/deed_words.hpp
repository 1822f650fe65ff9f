#pragma once

#include "messages/telemetry/event.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gasoline {

// What was done, in words that are the same when it is done again.

/// The page that an event happened on, without query and fragment; empty: none is told.
std::string_view page_of(const event& e);

/// What somebody did on a page, so that it can be told whether it was done again: `click on Pay`.
/// Empty: the event is no action of a user.
std::string action_words(const event& e);

/// `GET /api/items`, with ids as `:id`; empty: the event is no request.
std::string request_words(const event& e);

/// The words for all requests of one method and address.
struct worded_request {
  std::string words;      ///< empty: the event is no request
  std::size_t number = 0; ///< of method and address, from 0 on, in the order in which they came
};

/// `request_words`, made once for each method and address: answers look at thousands of requests of
/// few places. Remembers views into the events, which must outlive it.
class request_wording {
 public:
  /// The words; valid as long as this is.
  const std::string& of(const event& e) { return numbered(e).words; }

  /// The same with its number, to keep by it what belongs to one method and address.
  const worded_request& numbered(const event& e);

 private:
  struct hash {
    std::size_t operator()(const std::pair<std::string_view, std::string_view>& key) const;
  };

  std::unordered_map<std::pair<std::string_view, std::string_view>, worded_request, hash> known_;
  worded_request none_;
};

} // namespace gasoline
