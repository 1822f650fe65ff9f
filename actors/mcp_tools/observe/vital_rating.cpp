#include "actors/mcp_tools/observe/vital_rating.hpp"

namespace gasoline {
namespace {

struct band {
  page_metric metric;
  double good;
  double poor;
};

/// The public thresholds of web vitals; `load` has none.
constexpr band bands[] = {
    {page_metric::lcp, 2500, 4000}, {page_metric::fcp, 1800, 3000}, {page_metric::inp, 200, 500},
    {page_metric::ttfb, 800, 1800}, {page_metric::cls, 0.1, 0.25},
};

} // namespace

std::string_view vital_rating(page_metric metric, double value) {
  for (const auto& b : bands)
    if (b.metric == metric)
      return value <= b.good ? "good" : value <= b.poor ? "needs improvement" : "poor";
  return "unrated";
}

} // namespace gasoline
