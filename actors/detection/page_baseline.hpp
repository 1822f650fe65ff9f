#pragma once

#include "config/limits.hpp"
#include "messages/alerts/alert_taxonomy.hpp"
#include "messages/telemetry/event.hpp"

#include <array>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// One metric that got worse than the page's baseline.
struct regression {
  page_metric metric = page_metric::lcp;
  double baseline = 0; ///< milliseconds, or a score for CLS
  double value = 0;
  severity level = severity::warning;
};

/// What each page usually measures: the mean of the first 4
/// samples, then 0.8 old + 0.2 new. With 2 samples or more, a timing more than 20 % above it, or a
/// CLS more than 0.1 above it, is a regression and does not move the baseline; after 5 in a row the
/// baseline is learned anew, beginning with the fifth. Keeps the `baseline_pages` pages used last.
class page_baseline {
 public:
  explicit page_baseline(const limits& limit);
  page_baseline(page_baseline&&) = default;
  page_baseline& operator=(page_baseline&&) = default;

  /// Takes in one page load. Several reports of one load carry the same non-empty `load_id`; then
  /// the newest value of a metric replaces the earlier one, and a regression is told again only
  /// when it got more severe. Values that are not finite, negative, or 0 (CLS excepted) are
  /// ignored.
  std::vector<regression> add(const std::string& page, std::string_view load_id,
                              const page_metrics& metrics);

  std::size_t pages() const noexcept { return pages_.size(); }

 private:
  struct track {
    double mean = 0;
    std::uint32_t samples = 0;
    std::uint32_t regressed_in_a_row = 0;
  };

  struct metric_state {
    track now;
    track before_load;    ///< as it was before the load that `load` names
    std::size_t load = 0; ///< hash of the load's id; 0: none
    bool told = false;    ///< a regression of that load was told, at severity `told_level`
    severity told_level = severity::info;
  };

  struct page_state {
    std::string page;
    std::array<metric_state, page_metric_count> metrics;
  };

  page_state& page_named(const std::string& page);
  static void begin_sample(metric_state& state, std::size_t load);
  static bool take_sample(metric_state& state, regression& found);

  std::size_t most_pages_;
  std::list<page_state> pages_; ///< used last comes first
  std::unordered_map<std::string, std::list<page_state>::iterator> by_name_;
};

} // namespace gasoline
