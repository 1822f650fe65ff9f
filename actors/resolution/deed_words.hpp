#pragma once

#include "actors/base/text_hash.hpp"
#include "messages/telemetry/event.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gasoline {

// What was done, in words that are the same when it is done again.

/// The page that an event happened on, without query and fragment; empty: none is told.
std::string_view page_of(const event& e);

/// Whether a client of the engine opened an address there: that is a load, and nothing that a user
/// does on the page.
bool is_opening(const event& e);

/// What somebody did on a page, so that it can be told whether it was done again: `click on Pay`.
/// Empty: the event is no action of a user.
std::string action_words(const event& e);

/// `GET /api/items`, with ids as `:id`; empty: the event is no request.
std::string request_words(const event& e);

/// The words for all requests of one method and address.
struct worded_request {
  std::string_view words;   ///< empty: the event is no request
  std::size_t number = 0;   ///< of method and address, from 0 on, in the order in which they came
  std::size_t endpoint = 0; ///< of the words, in the same way: many addresses may have the same
};

/// `request_words`, made once for each method and address: answers look at thousands of requests of
/// few places. Remembers views into the events, which must outlive it.
class request_wording {
 public:
  /// The words; valid as long as this is.
  std::string_view of(const event& e) { return numbered(e).words; }

  /// The same with its numbers, to keep by them what belongs together.
  const worded_request& numbered(const event& e);

  /// All words by their number.
  const std::vector<std::string_view>& endpoints() const { return words_; }

 private:
  using method_and_address = std::pair<std::string_view, std::string_view>;

  struct hash {
    std::size_t operator()(const method_and_address& key) const {
      return hash_with(hash_with(0, key.first), key.second);
    }
  };

  worded_request worded(const event& e, std::size_t number);

  std::unordered_map<method_and_address, worded_request, hash> known_;
  std::unordered_map<std::string, std::size_t, text_hash> endpoints_; ///< by words
  std::vector<std::string_view> words_;                               ///< of each endpoint
  worded_request none_;
};

} // namespace gasoline
