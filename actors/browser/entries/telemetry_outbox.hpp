#pragma once

#include "config/limits.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// What a browser has to tell the engine next, as bodies of the wire formats. Bounded: what does
/// not fit is counted.
class telemetry_outbox {
 public:
  explicit telemetry_outbox(const limits_of<browser_room>& limit)
      : most_(limit.browser.entries_bytes) {}

  /// A body of one format.
  struct letter {
    std::string_view format;
    std::string origin; ///< of the page that its entries are of
    std::string body;
  };

  /// Adds an entry to what is told in `format`, a literal, for pages of that origin. An empty entry
  /// is none.
  void add(std::string_view format, std::string_view origin, const std::string& entry);

  /// Everything that has come together.
  std::vector<letter> take();

  bool empty() const { return lists_.empty(); }
  std::uint64_t told() const { return told_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  std::uint64_t most_;
  std::uint64_t bytes_ = 0;
  std::uint64_t told_ = 0;
  std::uint64_t dropped_ = 0;
  std::map<std::pair<std::string_view, std::string>, std::string> lists_;
};

} // namespace gasoline
