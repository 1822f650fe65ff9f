#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gasoline {

/// Cuts a byte stream into lines (LF or CRLF; empty lines are skipped). A line above the cap is
/// dropped as it arrives and reported once, at its end or at the end of the stream.
class line_splitter {
 public:
  explicit line_splitter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Takes the next bytes; calls `line` for every complete line, `overlong` for every dropped one.
  void feed(std::string_view bytes, const std::function<void(std::string_view)>& line,
            const std::function<void()>& overlong);

  /// The stream ended; a last line without line break counts.
  void finish(const std::function<void(std::string_view)>& line,
              const std::function<void()>& overlong);

 private:
  std::size_t max_bytes_;
  std::string partial_;
  bool dropping_ = false;
};

} // namespace gasoline
