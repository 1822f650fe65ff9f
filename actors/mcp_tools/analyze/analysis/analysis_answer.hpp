#pragma once

#include "actors/mcp_tools/analyze/analysis/analyze_call.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gasoline {

/// Builds an answer: one sentence, a line break, and an object of lists as compact JSON, within
/// `max_bytes`. What matters most is added first. The call must outlive it.
class analysis_answer {
 public:
  explicit analysis_answer(const analyze_call& call);

  /// Adds a list of `size` JSON values, of which `item` makes the one at an index when it is shown;
  /// those that do not fit are counted as `NAME_left`. An empty list is left out.
  void list(std::string_view name, std::size_t size,
            const std::function<std::string(std::size_t)>& item);

  std::string finish(std::string sentence) const;

 private:
  const analyze_call& call_;
  std::uint64_t budget_;
  std::string members_;
};

} // namespace gasoline
