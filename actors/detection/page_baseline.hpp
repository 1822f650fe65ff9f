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
  severity level = severity::warning; ///< `info`: the first slow load, which may be chance
};

/// What a report of one page load says next to the loads before.
struct load_verdict {
  std::vector<regression> found; ///< the one that explains the others comes first
  bool told_before = false;      ///< an earlier report of this load said no less
};

/// What each page usually measures, for each kind of navigation apart: the mean of the first 4
/// samples, then 0.8 old + 0.2 new, and the spread around it. With 2 samples or more, a timing is
/// worse when it is more than 20 %, 50 ms and two deviations above the mean; a CLS when it is more
/// than 0.1 and two deviations above it. One such load is `info`, a second in a row a regression;
/// so is the first one while there are fewer than 4 samples, when it loses more than loads usually
/// do by chance. A
/// worse sample does not move the mean; when it remains the only one it widens the spread, and
/// after 5 in a row the baseline is learned anew, beginning with the fifth. Keeps the
/// `baseline_pages` pages used last.
class page_baseline {
 public:
  explicit page_baseline(const limits_of<detection_room>& limit);
  page_baseline(page_baseline&&) = default;
  page_baseline& operator=(page_baseline&&) = default;

  /// Takes in one report of a page load. Reports of one load carry the same non-empty `load_id`:
  /// the newest value of a metric replaces the earlier one, and what an earlier report said counts
  /// as told. Reports of a load that another one has followed are ignored. Values that are not
  /// finite or negative are ignored, and so is 0, except for CLS and for INP and TTFB of soft
  /// navigations.
  load_verdict add(const std::string& page, std::string_view load_id, const page_metrics& metrics);

  std::size_t pages() const noexcept { return pages_.size(); }

 private:
  struct track {
    double mean = 0;
    double variance = 0;
    double worst_miss = 0; ///< how far the worse samples in a row were off
    std::uint32_t samples = 0;
    std::uint32_t worse_in_a_row = 0;
  };

  struct metric_state {
    track now;
    track before_load;       ///< as it was before the load that `load` names
    std::size_t load = 0;    ///< hash of the load's id; 0: none
    std::size_t earlier = 0; ///< of the load before
    bool told = false;       ///< a regression of that load was told, at severity `told_level`
    severity told_level = severity::info;
  };

  struct page_state {
    std::string page;
    std::array<metric_state, page_metric_count> metrics;
    std::size_t load = 0; ///< hash of the newest load's id; 0: none
    bool told = false;    ///< an alert of the newest load was told, at severity `told_level`
    severity told_level = severity::info;
  };

  page_state& page_named(const std::string& page);
  static void begin_load(page_state& state, std::size_t load);
  static bool begin_sample(metric_state& state, std::size_t load);
  static bool take_sample(metric_state& state, regression& found);

  std::size_t most_pages_;
  std::list<page_state> pages_; ///< used last comes first
  std::unordered_map<std::string, std::list<page_state>::iterator> by_name_;
};

} // namespace gasoline
