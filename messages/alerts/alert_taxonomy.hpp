#pragma once

#include "messages/base/enum_names.hpp"

#include <cstdint>

namespace gasoline {

/// How bad an alert is; ordered.
enum class severity : std::uint8_t { info, warning, error };

template <>
struct enum_table<severity> {
  static constexpr std::array<std::pair<severity, std::string_view>, 3> rows{{
      {severity::info, "info"},
      {severity::warning, "warning"},
      {severity::error, "error"},
  }};
};

/// What produced an alert.
enum class alert_category : std::uint8_t { regression, anomaly, ci, noise, threshold };

template <>
struct enum_table<alert_category> {
  static constexpr std::array<std::pair<alert_category, std::string_view>, 5> rows{{
      {alert_category::regression, "regression"},
      {alert_category::anomaly, "anomaly"},
      {alert_category::ci, "ci"},
      {alert_category::noise, "noise"},
      {alert_category::threshold, "threshold"},
  }};
};

/// What an alert is about, the vocabulary of the streaming filter.
/// `none` belongs to noise alerts, which only the filter `all` matches.
enum class alert_topic : std::uint8_t {
  none,
  errors,
  network_errors,
  performance,
  security,
  user_frustration,
  ci
};

template <>
struct enum_table<alert_topic> {
  static constexpr std::array<std::pair<alert_topic, std::string_view>, 7> rows{{
      {alert_topic::errors, "errors"},
      {alert_topic::network_errors, "network_errors"},
      {alert_topic::performance, "performance"},
      {alert_topic::user_frustration, "user_frustration"},
      {alert_topic::security, "security"},
      {alert_topic::ci, "ci"},
      {alert_topic::none, "noise"},
  }};
};

/// A value of the streaming parameter `events`.
enum class event_filter : std::uint8_t {
  errors,
  network_errors,
  performance,
  user_frustration,
  security,
  regression,
  anomaly,
  ci,
  all
};

template <>
struct enum_table<event_filter> {
  static constexpr std::array<std::pair<event_filter, std::string_view>, 9> rows{{
      {event_filter::errors, "errors"},
      {event_filter::network_errors, "network_errors"},
      {event_filter::performance, "performance"},
      {event_filter::user_frustration, "user_frustration"},
      {event_filter::security, "security"},
      {event_filter::regression, "regression"},
      {event_filter::anomaly, "anomaly"},
      {event_filter::ci, "ci"},
      {event_filter::all, "all"},
  }};
};

/// Whether a filter value lets an alert of that category and kind through: it matches the kind of
/// its name, or the category of its name for `regression` and `anomaly`; `all` matches everything.
constexpr bool matches(event_filter filter, alert_category category, alert_topic kind) {
  switch (filter) {
  case event_filter::all:
    return true;
  case event_filter::regression:
    return category == alert_category::regression;
  case event_filter::anomaly:
    return category == alert_category::anomaly;
  case event_filter::errors:
    return kind == alert_topic::errors;
  case event_filter::network_errors:
    return kind == alert_topic::network_errors;
  case event_filter::performance:
    return kind == alert_topic::performance;
  case event_filter::user_frustration:
    return kind == alert_topic::user_frustration;
  case event_filter::security:
    return kind == alert_topic::security;
  case event_filter::ci:
    return kind == alert_topic::ci;
  }
  return false;
}

} // namespace gasoline
