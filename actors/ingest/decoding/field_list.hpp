#pragma once

#include "actors/ingest/decoding/text_cutter.hpp"
#include "config/limits.hpp"

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// Writes the fields of an event that are no members of its own, within the byte budget of an
/// entry. What it is given outlives it.
class field_list {
 public:
  /// Appends to `out`, the inside of a JSON object.
  field_list(std::string& out, const limits::entry_limits& limit, const text_cutter& cutter)
      : out_(out), limit_(limit), cutter_(cutter) {}

  /// A value as it came; one that is too large is cut and becomes a text.
  void keep(std::string_view key, const simdjson::dom::element& value);

  /// A text; an empty one is left out.
  void text(std::string_view key, std::string_view value);

  /// A member whose value is JSON already.
  void member(std::string_view key, std::string_view json);

  /// Says how many fields had no room. Called last.
  void finish();

 private:
  std::string& out_;
  const limits::entry_limits& limit_;
  const text_cutter& cutter_;
  std::uint64_t dropped_ = 0;
};

} // namespace gasoline
