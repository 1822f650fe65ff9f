#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace gasoline {

/// A text that does not change and that all its copies share; for long ones of which many hold a
/// copy.
class shared_text {
 public:
  shared_text() = default;
  shared_text(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}

  const std::string& str() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }
  bool empty() const { return text_ == nullptr; }
  std::size_t size() const { return str().size(); }

 private:
  std::shared_ptr<const std::string> text_; // null: empty
};

} // namespace gasoline
