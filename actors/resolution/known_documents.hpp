#pragma once

#include "messages/telemetry/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gasoline {

/// Which documents of pages are known, so that a new one of a known page is told from the first.
/// Bounded: the last 64 documents; beyond 500 pages all of them are forgotten.
class known_documents {
 public:
  enum class news : std::uint8_t { none, first_load, reload };

  /// Looks whether the event is of a document that was not heard of before.
  news take(const event& e);

  /// When the document of that id was first heard of; nothing: it is not known any more.
  std::optional<wall_time> began(std::string_view page_id) const;

 private:
  struct document {
    std::string id;
    wall_time began{};
  };

  std::array<document, 64> documents_; ///< the next place to be taken is the oldest
  std::size_t next_ = 0;
  std::set<std::string, std::less<>> pages_;
};

} // namespace gasoline
