#pragma once

#include "messages/telemetry/event_refs.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gasoline {

/// The middle one of the values, of which there is at least one; of two in the middle the lower.
double median(std::vector<double> values);

/// One number that has changed: the median before and since.
struct speed_change {
  std::string what; ///< `GET /api/items`, or `lcp of http://localhost:3000/`
  double before = 0;
  double since = 0;
  std::size_t samples_before = 0;
  std::size_t samples_since = 0;

  bool is_worse() const { return since > before; }
};

/// Endpoints of which both stretches hold at least three requests, and whose median is 1.5 times
/// the other and 50 ms apart; the largest ratio first.
std::vector<speed_change> changed_endpoints(event_span before, event_span since);

/// Web vitals of pages that are a fifth and 100 ms (CLS: 0.05) apart.
std::vector<speed_change> changed_vitals(event_span before, event_span since);

/// The values of each metric of each page, one for each of its loads.
std::map<std::string, std::map<page_metric, std::vector<double>>> vitals_by_page(event_span events);

} // namespace gasoline
