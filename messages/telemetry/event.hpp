#pragma once

#include "messages/base/enum_names.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/base/time.hpp"
#include "messages/telemetry/telemetry_kind.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// The level of a log entry; ordered. `warning` is accepted for `warn`.
enum class log_level : std::uint8_t { debug, log, info, warn, error };

template <>
struct enum_table<log_level> {
  static constexpr std::array<std::pair<log_level, std::string_view>, 6> rows{{
      {log_level::debug, "debug"},
      {log_level::log, "log"},
      {log_level::info, "info"},
      {log_level::warn, "warn"},
      {log_level::error, "error"},
      {log_level::warn, "warning"},
  }};
};

/// What a log entry is. `security` is a CSP violation or mixed content.
enum class entry_type : std::uint8_t { console, exception, network, security, vital, screenshot };

template <>
struct enum_table<entry_type> {
  static constexpr std::array<std::pair<entry_type, std::string_view>, 9> rows{{
      {entry_type::console, "console"},
      {entry_type::exception, "exception"},
      {entry_type::network, "network"},
      {entry_type::security, "security"},
      {entry_type::vital, "vital"},
      {entry_type::screenshot, "screenshot"},
      {entry_type::exception, "unhandledrejection"},
      {entry_type::security, "csp"},
      {entry_type::security, "mixed_content"},
  }};
};

/// By whom an event was observed, whatever kind it is.
enum class event_origin : std::uint8_t {
  page,    ///< the page script, or a program that speaks as it does
  process, ///< a command that `gasoline run` started
  sentry,  ///< a Sentry SDK
  otlp,    ///< an OpenTelemetry exporter
  ci,      ///< a CI system, or a report of a test run
  report   ///< the browser itself: its Reporting API, its policy reports
};

template <>
struct enum_table<event_origin> {
  static constexpr std::array<std::pair<event_origin, std::string_view>, 6> rows{{
      {event_origin::page, "page"},
      {event_origin::process, "process"},
      {event_origin::sentry, "sentry"},
      {event_origin::otlp, "otlp"},
      {event_origin::ci, "ci"},
      {event_origin::report, "report"},
  }};
};

/// Why an event is kept out of alerts. `hint` is the opaque cross-origin "Script error.", which is
/// told once at severity info and never counted.
enum class noise_mark : std::uint8_t { none, noise, hint };

/// What a development server told its page about the newest build.
enum class build_state : std::uint8_t { none, failed, passed };

template <>
struct enum_table<build_state> {
  static constexpr std::array<std::pair<build_state, std::string_view>, 3> rows{{
      {build_state::failed, "failed"},
      {build_state::passed, "ok"},
      {build_state::none, ""},
  }};
};

/// The metrics of one page load that baselines are kept for, and how long a service takes to answer
/// on one of its routes.
enum class page_metric : std::uint8_t { lcp, fcp, inp, ttfb, load, cls, response };

template <>
struct enum_table<page_metric> {
  static constexpr std::array<std::pair<page_metric, std::string_view>, 7> rows{{
      {page_metric::lcp, "lcp"},
      {page_metric::fcp, "fcp"},
      {page_metric::inp, "inp"},
      {page_metric::ttfb, "ttfb"},
      {page_metric::load, "load"},
      {page_metric::cls, "cls"},
      {page_metric::response, "response"},
  }};
};

constexpr std::size_t page_metric_count = 7;

/// How a page came to be shown. What is restored from the back-forward cache is not measured.
enum class navigation_kind : std::uint8_t {
  load, ///< from the network or the HTTP cache, reloads included
  soft, ///< within the document
  prerendered
};

template <>
struct enum_table<navigation_kind> {
  static constexpr std::array<std::pair<navigation_kind, std::string_view>, 4> rows{{
      {navigation_kind::load, "navigate"},
      {navigation_kind::soft, "soft-navigation"},
      {navigation_kind::prerendered, "prerender"},
      {navigation_kind::soft, "soft_navigation"},
  }};
};

/// One page load's measurements: milliseconds, and a score for CLS. Absent, negative, non-finite or
/// restored-from-bfcache values are left empty by the decoder; 0 means something for CLS, and for
/// INP and TTFB of soft navigations.
struct page_metrics {
  std::array<std::optional<double>, page_metric_count> values;
  navigation_kind kind = navigation_kind::load;
  std::uint32_t hot_updates = 0; ///< how often the page was updated in place before this report

  /// Whether there is a usable value at all.
  bool any() const {
    for (const auto& v : values)
      if (v)
        return true;
    return false;
  }

  std::optional<double>& operator[](page_metric m) { return values[static_cast<std::size_t>(m)]; }
  const std::optional<double>& operator[](page_metric m) const {
    return values[static_cast<std::size_t>(m)];
  }
};

/// What a CI system's word for a result means. The words themselves are the outside world's: see
/// `ci_word`.
enum class ci_status : std::uint8_t {
  success,
  failure,
  error,
  unstable,  ///< built, but not all is well
  cancelled, ///< ended by somebody, or waits for somebody: neither a failure nor a recovery
  skipped,   ///< nothing was tried
  running,   ///< a state before the end
  unknown    ///< a word that is not known; told as it is
};

template <>
struct enum_table<ci_status> {
  static constexpr std::array<std::pair<ci_status, std::string_view>, 8> rows{{
      {ci_status::success, "success"},
      {ci_status::failure, "failure"},
      {ci_status::error, "error"},
      {ci_status::unstable, "unstable"},
      {ci_status::cancelled, "cancelled"},
      {ci_status::skipped, "skipped"},
      {ci_status::running, "running"},
      {ci_status::unknown, "unknown"},
  }};
};

/// One failed test of a CI run.
template <class Text>
struct basic_ci_failure {
  Text name;
  Text message;
};

/// One CI result. `Text` is `std::string` before the redactor and `redacted_text` after it.
template <class Text>
struct basic_ci_result {
  ci_status status = ci_status::success;
  std::uint32_t attempt = 0; ///< of the same run, from 1; 0: not told
  bool is_part = false;      ///< of one job: adds to what is known of its run
  Text word;                 ///< the status as it was sent, where that is not its name
  Text source;
  Text ref;
  Text commit;
  Text job; ///< the job or workflow, where one is named
  Text summary;
  Text url;
  std::vector<basic_ci_failure<Text>> failures; ///< at most `ci_failures_shown`
  std::uint64_t failure_count = 0;              ///< before the list was cut
  double duration_ms = -1;                      ///< negative: not given
};

using raw_ci_result = basic_ci_result<std::string>;
using ci_result = basic_ci_result<redacted_text>;

/// Where a part of a text stands.
struct text_place {
  std::uint32_t begin = 0; ///< 0: it was not looked for
  std::uint32_t size = 0;  ///< 0: there is no such part
};

/// One telemetry event. `Text` is `std::string` before the redactor and `redacted_text` after it.
template <class Text>
struct basic_event {
  telemetry_kind kind = telemetry_kind::log;
  event_origin origin = event_origin::page;
  log_level level = log_level::log;
  entry_type type = entry_type::console;
  noise_mark noise = noise_mark::none;   ///< set by the noise filter
  build_state build = build_state::none; ///< logs only
  bool echo = false;                     ///< the sender says that an earlier entry told the same
  bool at_given = false;                 ///< `at` came with the event, else it is the receipt time
  std::int32_t status = -1;              ///< HTTP status or WebSocket close code; 0: request failed
  std::uint32_t count = 1;               ///< occurrences that the sender summed up in this entry
  std::uint64_t sequence = 0;            ///< set by the noise filter: rising over all kinds
  text_place page_id{};    ///< of its document's id in `fields`, set by the noise filter
  double duration_ms = -1; ///< negative: unknown
  wall_time at{};
  // What filters read comes first: a question may look at all that is buffered.
  Text url;     ///< the request's URL, else the page's
  Text page;    ///< the page's URL, where the entry tells both
  Text fault;   ///< which fault an error is, set by the noise filter (`error_key`)
  Text service; ///< the program that it happened in, as that calls itself; empty: not told
  Text name;    ///< what happened, per kind: WebSocket event, action type, request method
  Text message; ///< the human-readable text: log message, WebSocket data, selector
  Text stack;   ///< shortened stack, one frame a line
  Text fields;  ///< every other field, as the inside of a JSON object: `"a":1,"b":[2]`
  std::shared_ptr<const page_metrics> metrics;     ///< of loads, and of a service's requests
  std::shared_ptr<const basic_ci_result<Text>> ci; ///< ci only

  /// Bytes that this event holds in a buffer.
  std::size_t bytes() const {
    return sizeof(basic_event) + service.size() + name.size() + message.size() + url.size() +
           page.size() + stack.size() + fields.size() + fault.size();
  }
};

using raw_event = basic_event<std::string>;
using event = basic_event<redacted_text>;
using event_ptr = std::shared_ptr<const event>;

/// The address of the page that an event tells of.
template <class Text>
const Text& page_address(const basic_event<Text>& e) {
  return e.page.empty() ? e.url : e.page;
}

/// Whether the event tells of one HTTP request, however it came to be known.
template <class Text>
bool is_request(const basic_event<Text>& e) {
  return e.kind == telemetry_kind::body || e.kind == telemetry_kind::request ||
         (e.kind == telemetry_kind::log && e.type == entry_type::network);
}

/// A request that did not succeed: status 0 (no answer) or 400 and above.
template <class Text>
bool is_failed_request(const basic_event<Text>& e) {
  return is_request(e) && (e.status == 0 || e.status >= 400);
}

} // namespace gasoline
