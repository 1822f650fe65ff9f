#pragma once

#include "messages/telemetry/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// What was done, as a number that is the same when it is done again.
using deed_key = std::uint64_t;

/// A page was loaded.
deed_key load_key(std::string_view page);

/// Somebody did that on that page (`action_words`).
deed_key action_key(std::string_view page, std::string_view words);

/// A build passed.
deed_key build_key();

/// What is known of a request: that it was asked, or that it succeeded.
enum class request_outcome : std::uint8_t { asked, answered };

/// Exactly that request: method, address, and what was sent as far as it was recorded. Ids, times
/// and random numbers in it do not count, nor do parameters that only defeat caches.
deed_key request_key_of(const event& e, request_outcome outcome);

/// Any request of that kind: method and route, ids aside (`request_words`).
deed_key route_key(std::string_view words, request_outcome outcome);

/// A page asked that address and its browser timed it, without a status: its script tells of
/// failures alone, so it went well unless one was told.
deed_key quiet_request_key(const event& e);

/// A script asked that and its browser timed it: nothing tells how it ended, unless it failed.
bool is_timed_fetch(const event& e);

/// A request to that address failed, whatever its method was.
deed_key failed_request_key(const event& e);

/// What a request was asked of: the same for all of one method and address.
struct request_target {
  deed_key bare = 0;   ///< without what was sent
  deed_key quiet = 0;  ///< `quiet_request_key`
  deed_key failed = 0; ///< `failed_request_key`
  std::string route;   ///< `request_words`; empty: not asked for
};

/// `routes`: its words too, which costs more. Of what is no request: nothing.
request_target target_of(const event& e, bool routes);

/// The deeds of one event.
class event_deeds {
 public:
  /// What the event does: an action, a build that passed, a request that was asked and maybe
  /// answered. Loads of pages are told by their documents, not by single events.
  event_deeds(const event& e, const request_target& target);

  const deed_key* begin() const { return keys_.data(); }
  const deed_key* end() const { return keys_.data() + size_; }

 private:
  void add(deed_key key) { keys_[size_++] = key; }

  std::array<deed_key, 8> keys_{};
  std::size_t size_ = 0;
};

} // namespace gasoline
