#pragma once

#include "actors/browser/entries/console_entries.hpp"
#include "config/limits.hpp"
#include "messages/base/identity/client_id.hpp"

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A request of a page that has not ended.
struct page_request {
  std::string id; ///< the browser's; redirects keep it
  std::string url;
  std::string method;
  std::string type;     ///< Document, Fetch, XHR, Script, …
  std::string page;     ///< the address of the document that made it
  std::string document; ///< its loader
  std::string frame;    ///< of the document
  double started = 0;   ///< seconds on the browser's clock
  double answered = 0;  ///< the same clock; 0: it has not been answered
  double wall = 0;      ///< seconds since 1970
  int status = -1;      ///< of its answer; negative: none came
  std::string mime;
  bool left = false; ///< nobody waits for it any more
  std::string body;  ///< the beginning of the JSON that it sends; empty: it sends none
  std::string cors;  ///< why CORS refused it; empty: it did not
  /// Headers of a document's answer that protect it, as members of an object; empty: it had none,
  /// or is no document.
  std::string guards;
  std::string cookies; ///< that its answer sets, as items of a list: names and flags, no values
};

/// A request that has ended, and how.
struct ended_request {
  page_request request;
  double duration_ms = 0;
  double bytes = -1; ///< over the network; negative: not known
  std::string error; ///< of one without answer: net::ERR_…; empty: it has been answered
  std::string cause; ///< why it is no fault: aborted, blocked; empty: nothing says so
  bool redirected = false;
  bool is_open = false;   ///< its end is not waited for; its answer has begun to come
  bool was_over = false;  ///< all of it had come when its page was told of the answer
  bool is_sample = false; ///< its answer is told as one of those that its place gives
};

/// Whether a page waits for requests of that type (Fetch, Image, …): not for streams, sockets,
/// beacons.
bool is_awaited_type(std::string_view type);

/// The requests of one session of a page, from `Network` events. What it tells of is bounded: of
/// requests beyond the cap only the number is known.
class request_watch {
 public:
  explicit request_watch(std::uint64_t most) : most_(most) {}

  // The events; those that end a request answer it.

  /// `requestWillBeSent`: of a redirect it answers the hop that has ended.
  std::optional<ended_request> sent(const simdjson::dom::element& event);
  /// `responseReceived`.
  void answered(const simdjson::dom::element& event);
  /// `responseReceivedExtraInfo`: what was sent to the browser alone.
  void answered_in_full(const simdjson::dom::element& event);
  /// `loadingFinished`.
  std::optional<ended_request> finished(const simdjson::dom::element& event);
  /// `loadingFailed`.
  std::optional<ended_request> failed(const simdjson::dom::element& event);

  /// The page shows that document now. Nobody waits for those of others any more: how they end may
  /// be told, and may not.
  void leave(std::string_view document);

  /// A frame has gone to a process of its own, which loads its document: nobody waits for that
  /// here.
  void hand_over(std::string_view frame);

  /// How many that a page waits for have not ended.
  std::size_t awaited() const;

  /// Of them those whose end it may still wait for. An answer to `fetch` that nobody reads ends 50
  /// ms after it has come (Chromium's BufferingBytesConsumer).
  std::size_t unanswered() const;

  /// The addresses of those that are awaited and answered, and whose end nobody may wait for.
  std::vector<std::string> answered_addresses() const;

  /// Takes those of them that failed by their status, as they are now: their end is not told any
  /// more.
  std::vector<ended_request> take_failed_answers();

  /// How many have not ended that end soon and that nobody waits for: beacons, reports.
  std::size_t passing() const;

  /// Whether the server may tell something by itself.
  bool has_stream() const;

  /// The answer of the request for that document: its status, negative: none came.
  int document_status(std::string_view loader) const;

  std::uint64_t overlooked() const { return overlooked_; }

 private:
  std::optional<ended_request> take(std::string_view id, double at);
  bool take_sample(const ended_request& ended);

  std::uint64_t most_;
  std::uint64_t overlooked_ = 0;
  std::map<std::string, page_request, std::less<>> open_;
  std::map<std::string, int> samples_; // taken in the document that is shown, by method and route
  std::string document_;               // the loader of the last document that was answered
  int document_status_ = -1;
};

/// Whether a request is told with what was answered: it failed, or took very long.
bool is_worth_a_body(const ended_request& ended);

/// Whether it is told with what was answered, for either reason.
bool tells_body(const ended_request& ended);

/// Whether its body is a text that may be read: not that of a page where people sign in.
bool has_readable_body(const ended_request& ended);

/// Why the body is left out, for one that was answered; empty: there is none.
std::string_view body_reason(const ended_request& ended);

/// An entry of the format `network_waterfall`.
std::string timing_entry(const ended_request& ended, const entry_place& place);

/// An entry of the format `network_bodies`. `body`: the beginning of the answer, or why it is not
/// there.
std::string body_entry(const ended_request& ended, const entry_place& place, std::string_view body);

} // namespace gasoline
