#pragma once

#include "messages/telemetry/event_refs.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Which documents of which pages were loaded in a stretch of time.
class page_documents {
 public:
  /// `events` oldest first.
  explicit page_documents(event_span events);

  /// When the document of that id was first heard of.
  std::optional<wall_time> document_began(std::string_view page_id) const;

  /// When a document of that page was first heard of that `before` does not know.
  std::optional<wall_time> loaded_since(std::string_view page, const page_documents& before) const;

  /// One document of a page.
  struct load {
    wall_time began{};
    bool was_left = false; ///< for another one in its tab, as far as tabs are told
  };

  /// The first document of that page that `before` does not know and that was shown for `least`, or
  /// still is; else the first that was left sooner.
  std::optional<load> shown_since(std::string_view page, const page_documents& before,
                                  std::chrono::milliseconds least) const;

 private:
  struct document {
    std::string page;
    wall_time began{};
    std::string tab; ///< empty: not told
  };

  bool is_left(const document& d, std::chrono::milliseconds within) const;

  std::map<std::string, document, std::less<>> documents_;
};

} // namespace gasoline
