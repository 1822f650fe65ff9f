#pragma once

#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// The answer to one ingest POST.
struct ingest_answer {
  std::uint16_t status = 200;                         ///< HTTP status
  std::string body;                                   ///< compact JSON, unless the type says else
  std::uint32_t retry_after_seconds = 0;              ///< header `Retry-After`; 0: none
  std::string_view content_type = "application/json"; ///< a literal
};

/// What a sender says beside the body.
struct ingest_head {
  std::string content_type; ///< the bare media type in lower case; empty: none was named
  std::string parameter;    ///< the segment that stands for the `{…}` in the route's path
  /// The headers that the format's route asks for, as received; those that came.
  std::vector<std::pair<std::string_view, std::string>> headers;

  /// The value of a header of the route; empty: it did not come.
  std::string_view header(std::string_view name) const {
    for (const auto& [known, value] : headers)
      if (known == name)
        return value;
    return {};
  }
};

/// One POST body on its way to the ingest actor.
struct ingest_request {
  std::string_view format; ///< name of the wire format, as in `ingest_route`
  ingest_head head;        ///< what came with it
  std::string body;        ///< as received, after decompression
  std::string origin;      ///< of the page, as its browser vouches for it; empty: no page sent it
  /// Called once, from any thread, when everything downstream has handled the entries.
  std::function<void(ingest_answer)> reply;
};

/// Runs a function when the last message that belongs to one POST has been handled: each batch and
/// alert made from it holds the ticket, and the last holder's end is the end of the work.
class ingest_ticket {
 public:
  explicit ingest_ticket(std::function<void()> done) : done_(std::move(done)) {}
  ingest_ticket(const ingest_ticket&) = delete;
  ingest_ticket& operator=(const ingest_ticket&) = delete;
  ~ingest_ticket() {
    if (done_)
      done_();
  }

 private:
  std::function<void()> done_;
};

using ticket_ptr = std::shared_ptr<const ingest_ticket>;
using ingest_request_ptr = std::shared_ptr<ingest_request>;

/// Decoded entries of one POST, of any kinds, before redaction. Only the ingest actor makes it and
/// only the redactor takes it.
struct raw_batch {
  std::vector<raw_event> events;
  std::string origin; ///< as in `ingest_request`
  ticket_ptr ticket;
};

using raw_batch_ptr = std::shared_ptr<raw_batch>;

/// The same entries after redaction, before the noise filter has marked them.
struct redacted_batch {
  std::vector<std::shared_ptr<event>> events;
  ticket_ptr ticket;
};

using redacted_batch_ptr = std::shared_ptr<redacted_batch>;

/// Redacted and marked entries, as stores and detectors see them.
struct event_batch {
  std::vector<event_ptr> events;
  ticket_ptr ticket;
};

using event_batch_ptr = std::shared_ptr<const event_batch>;

/// How full the telemetry store is.
enum class memory_pressure : std::uint8_t { normal, soft, hard, critical };

template <>
struct enum_table<memory_pressure> {
  static constexpr std::array<std::pair<memory_pressure, std::string_view>, 4> rows{{
      {memory_pressure::normal, "normal"},
      {memory_pressure::soft, "soft"},
      {memory_pressure::hard, "hard"},
      {memory_pressure::critical, "critical"},
  }};
};

} // namespace gasoline
