#pragma once

#include "actors/mcp_tools/analyze/deed_words.hpp"
#include "messages/telemetry/query.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// How pages were used in a stretch of time: which documents were loaded, what was done in them,
/// what they asked their servers.
class page_use {
 public:
  /// `events` oldest first.
  explicit page_use(const std::vector<event_group>& events);

  /// When the document of that id was first heard of.
  std::optional<wall_time> document_began(std::string_view page_id) const;

  /// When a document of that page was first heard of that `before` does not know.
  std::optional<wall_time> loaded_since(std::string_view page, const page_use& before) const;

  bool did(std::string_view page, const std::string& action) const;
  bool asked_with_success(const std::string& request) const;
  bool asked(const std::string& request) const;
  bool built() const { return built_; }

 private:
  struct document {
    std::string page;
    wall_time began{};
  };

  std::map<std::string, document, std::less<>> documents_;
  std::set<std::string> actions_;  ///< page, line break, words
  std::set<std::string> requests_; ///< words
  std::set<std::string> answered_; ///< words of those that succeeded
  bool built_ = false;
};

} // namespace gasoline
