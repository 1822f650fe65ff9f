#pragma once

#include "messages/alerts/merged_alert.hpp"
#include "messages/base/identity/client_id.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

namespace gasoline::test {

inline constexpr client_id first_client = 1;
inline constexpr client_id second_client = 2;

/// A moment of virtual time, counted from an arbitrary start well after zero.
inline mono_time at(std::chrono::nanoseconds since_start) {
  return mono_time{} + std::chrono::hours{1} + since_start;
}

/// The wall-clock label of the tests' start.
inline wall_time sample_wall_time() {
  return *from_iso8601("2026-01-28T14:30:00.000Z");
}

/// An error alert about an uncaught exception; numbers make titles and keys differ.
inline alert error_alert(std::uint64_t number) {
  alert a;
  a.id = number;
  a.level = severity::error;
  a.title = redacted(literal{"TypeError: x is undefined #"}, number);
  a.detail = literal{"at render (app.js:10)"};
  a.source = literal{"anomaly_detector"};
  a.dedup_key = redacted(literal{"error:"}, number);
  a.at = sample_wall_time();
  a.raised = at({});
  return a;
}

/// A failed request.
inline alert network_alert(std::uint64_t number, redacted_text url) {
  auto a = error_alert(number);
  a.kind = alert_topic::network_errors;
  a.title = literal{"Server error: POST /api/users -> 500"};
  a.dedup_key = redacted(literal{"POST:/api/users:500#"}, number);
  a.context.emplace();
  a.context->method = literal{"POST"};
  a.context->url = url;
  a.context->status = 500;
  a.context->duration_ms = 234;
  a.url = std::move(url);
  return a;
}

/// A page that became slower.
inline alert regression_alert(std::uint64_t number) {
  auto a = error_alert(number);
  a.level = severity::warning;
  a.category = alert_category::regression;
  a.kind = alert_topic::performance;
  a.title = literal{"LCP regressed 50% on /home"};
  a.detail = literal{"2000 ms, now 3000 ms"};
  a.source = literal{"performance_monitor"};
  a.dedup_key = redacted(literal{"lcp:/home#"}, number);
  return a;
}

inline alert with_level(alert a, severity level) {
  a.level = level;
  return a;
}

inline alert_ptr share(alert a) {
  return std::make_shared<const alert>(std::move(a));
}

} // namespace gasoline::test
