#pragma once

#include <cstddef>
#include <string_view>

namespace gasoline {

/// Tells, as a JSON object comes in pieces, whether it has begun and whether it is complete. Looks
/// at brackets and strings only.
class json_extent {
 public:
  void add(std::string_view piece) {
    for (const char c : piece)
      add(c);
  }

  bool begun() const { return begun_; }
  bool complete() const { return begun_ && depth_ == 0; }

 private:
  void add(char c) {
    if (in_string_) {
      in_string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
      return;
    }
    in_string_ = c == '"';
    if (c == '{' || c == '[') {
      begun_ = true;
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
      --depth_;
    }
  }

  std::size_t depth_ = 0;
  bool begun_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
};

} // namespace gasoline
