#pragma once

#include "messages/telemetry/event_refs.hpp"

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

 private:
  struct document {
    std::string page;
    wall_time began{};
  };

  std::map<std::string, document, std::less<>> documents_;
};

} // namespace gasoline
