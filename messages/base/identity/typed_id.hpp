#pragma once

#include "messages/base/identity/ulid.hpp"

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {

/// The id of one kind of thing. Text becomes one only explicitly, where it comes in (a route, a
/// frame, a row of the trace), and any text may: whether there is such a thing is for its owner to
/// say. It reads as text everywhere, and is compared with ids of its own kind alone.
template <id_kind Kind>
class typed_id {
 public:
  typed_id() = default; ///< of nothing: empty
  explicit typed_id(std::string text) : text_(std::move(text)) {}

  /// An id of one kind is none of another, though both read as text.
  template <id_kind Other>
  requires(Other != Kind) explicit typed_id(const typed_id<Other>&) = delete;

  /// The next one of that source.
  static typed_id next(ulid_source& ids, wall_time now) { return typed_id{ids.next(Kind, now)}; }

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

  operator const std::string&() const { return text_; }
  operator std::string_view() const { return text_; }

  friend bool operator==(const typed_id&, const typed_id&) = default;
  friend auto operator<=>(const typed_id&, const typed_id&) = default;

 private:
  std::string text_;
};

using agent_session_id = typed_id<id_kind::session>;
using agent_turn_id = typed_id<id_kind::turn>;
using agent_message_id = typed_id<id_kind::message>;

} // namespace gasoline

template <gasoline::id_kind Kind>
struct std::hash<gasoline::typed_id<Kind>> {
  std::size_t operator()(const gasoline::typed_id<Kind>& id) const noexcept {
    return std::hash<std::string>{}(id.text());
  }
};
