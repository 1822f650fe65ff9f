#include "tools/ci_report/telling_part.hpp"

#include <algorithm>

namespace gasoline {

std::string telling_part(std::string_view output) {
  constexpr std::size_t shown = 1000;
  // `thread 't' (12) panicked at src/lib.rs:4:5:`, and the message below it.
  if (const auto panic = output.find(" panicked at "); panic != std::string_view::npos) {
    const auto line = output.rfind('\n', panic);
    auto told = output.substr(line == std::string_view::npos ? 0 : line + 1);
    told = told.substr(0, told.find("\nstack backtrace:"));
    return std::string{told.substr(0, told.find("\nnote: run with"))};
  }
  if (const auto raised = output.find("\nE   "); raised != std::string_view::npos) {
    const auto told = output.substr(raised + 5);
    return std::string{told.substr(0, told.find('\n'))};
  }
  return std::string{output.substr(output.size() - std::min(output.size(), shown))};
}

} // namespace gasoline
