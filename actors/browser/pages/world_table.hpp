#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// A frame of a page, as commands reach it.
struct page_frame {
  std::string session;
  std::string frame;  ///< the browser's id
  std::string parent; ///< of the same session; empty: it is the first one there
  std::string url;
};

/// Where `page_hands` runs in one document of a frame.
struct page_world {
  std::uint64_t number = 0; ///< never used again: another document has another one
  page_frame frame;
  int context = 0;
};

/// What is remembered of an element that was told, to find it again in another document.
struct told_element {
  std::string role;
  std::string name;
};

/// A handle taken apart: `w3e12`.
struct handle_parts {
  std::uint64_t world = 0;
  std::uint64_t element = 0;
};

std::optional<handle_parts> parse_handle(std::string_view handle);
std::string handle_text(std::uint64_t world, std::uint64_t element);

/// The worlds that pages have now, and the elements that were told of. A handle names its document,
/// so it never means an element of another one.
class world_table {
 public:
  explicit world_table(std::uint64_t most_elements) : most_(most_elements) {}

  const page_world& add(page_frame frame, int context);

  /// The world of that frame's document; null: it has none yet.
  const page_world* of_frame(std::string_view session, std::string_view frame) const;
  const page_world* numbered(std::uint64_t number) const;
  /// The world of the session's own document, in which its other frames stand; null: none yet.
  const page_world* first_of(std::string_view session) const;

  // Contexts that are gone; the worlds in them are as well.
  void context_gone(std::string_view session, int context);
  void session_gone(std::string_view session);
  void clear() { worlds_.clear(); }

  void remember(std::string handle, told_element element);
  const told_element* told(const std::string& handle) const;

 private:
  std::uint64_t most_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, page_world> worlds_;
  std::map<std::string, told_element> told_;
  std::deque<std::string> order_; // of their handles, the oldest first
};

} // namespace gasoline
