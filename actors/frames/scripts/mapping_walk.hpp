#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gasoline {

/// What one segment of mappings says, all numbers from 0.
struct mapped_segment {
  std::uint32_t source = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t name = 0;
  bool named = false;
  bool known = false; ///< false: the segment says that nothing is known, or there is none
};

/// Reads the `mappings` of a source map once, front to back, and keeps for each position asked for
/// the last segment that does not begin behind it on its line. A number of more than 32 bits or a
/// character that is none of base64 ends its segment; an index out of range makes it unknown.
class mapping_walk {
 public:
  mapping_walk(std::string_view mappings, std::size_t sources, std::size_t names)
      : mappings_(mappings), sources_(sources), names_(names) {}

  /// Asks for a position, from 0.
  void ask(std::uint32_t line, std::uint32_t column) { asked_.push_back({line, column}); }

  /// In the order of the questions.
  std::vector<mapped_segment> answers();

 private:
  struct question {
    std::uint32_t line;
    std::uint32_t column;
  };
  struct best {
    std::int64_t begins = -1;
    mapped_segment segment;
  };

  /// Reads the numbers of the segment at `at_` up to the next `,` or `;`.
  bool read_segment();
  bool read_number(std::int64_t& number);
  void offer(std::uint32_t line);

  std::string_view mappings_;
  std::size_t sources_;
  std::size_t names_;
  std::vector<question> asked_;
  std::vector<best> best_;
  std::size_t at_ = 0;
  std::int64_t generated_ = 0; ///< column of the segment
  std::int64_t source_ = 0;
  std::int64_t line_ = 0;
  std::int64_t column_ = 0;
  std::int64_t name_ = 0;
  int numbers_ = 0; ///< of the segment
};

} // namespace gasoline
