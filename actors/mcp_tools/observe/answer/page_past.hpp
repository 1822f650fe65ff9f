#pragma once

#include "messages/telemetry/query.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// One thing that the user or the page did.
struct page_step {
  std::string words;  ///< `click "Pay"`, `GET /api/items 200 price: null`
  std::string detail; ///< what a failed request sent and got, with a blank before it; may be empty
};

/// What else happened on the pages of errors: read from a page of the timeline, which must outlive
/// it.
class page_past {
 public:
  page_past() = default;
  explicit page_past(const store_page& timeline) : timeline_(&timeline) {}

  /// The last things that the user and the page did before an event, the newest first.
  std::vector<page_step> before(const event& e, std::size_t most) const;

  /// When the page was loaded anew after the event; nothing when it was not, or that is not known.
  std::optional<wall_time> reloaded_after(const event& e) const;

 private:
  const store_page* timeline_ = nullptr;
};

} // namespace gasoline
