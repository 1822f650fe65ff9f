#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// Whether texts contain a part, which must outlive it, as must the texts that it has seen. Most
/// events of a buffer have the address of the one before.
class part_search {
 public:
  explicit part_search(const std::string& part) : part_(part) {}

  bool finds(std::string_view text) {
    if (text != last_) {
      last_ = text;
      found_ = text.find(part_) != std::string_view::npos;
    }
    return found_;
  }

 private:
  const std::string& part_;
  std::string_view last_;
  bool found_ = false;
};

} // namespace gasoline
