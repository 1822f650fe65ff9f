#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

// clang before 15 crashes on the temporaries of a consteval constructor; there, g++ alone enforces
// it.
#if defined(__clang__) && __clang_major__ < 15
#define GASOLINE_CONSTEVAL constexpr
#else
#define GASOLINE_CONSTEVAL consteval
#endif

namespace gasoline {

/// Text written in this program's source. Only a string literal converts to it.
class literal {
 public:
  template <std::size_t N>
  GASOLINE_CONSTEVAL literal(const char (&text)[N]) : text_(text, N - 1) {}

  constexpr std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

/// Text without a secret in it. It comes from the redactor, from
/// literals, from numbers, and from joining or shortening such text; nothing else can make it.
/// Valid UTF-8, without control characters other than tab and line breaks, and without
/// bidirectional formatting characters.
class redacted_text {
 public:
  redacted_text() = default;
  redacted_text(literal text) : text_(text.view()) {}

  const std::string& str() const noexcept { return text_; }
  std::string_view view() const noexcept { return text_; }
  bool empty() const noexcept { return text_.empty(); }
  std::size_t size() const noexcept { return text_.size(); }

  redacted_text& operator+=(const redacted_text& other) {
    text_ += other.text_;
    return *this;
  }

  redacted_text& operator+=(literal text) {
    text_ += text.view();
    return *this;
  }

  template <std::integral T>
  redacted_text& operator+=(T number) {
    text_ += std::to_string(number);
    return *this;
  }

  /// Appends a number with up to three decimals, without trailing zeros.
  redacted_text& append_decimal(double number);

  /// Appends a part of another redacted text; `pos` and `count` as in `std::string_view::substr`.
  redacted_text& append_part(const redacted_text& other, std::size_t pos, std::size_t count) {
    text_ += other.view().substr(pos, count);
    return *this;
  }

  /// The first `bytes` bytes, cut before a broken UTF-8 sequence, with `…` in place of what was
  /// cut.
  redacted_text shortened(std::size_t bytes) const;

  friend bool operator==(const redacted_text& a, const redacted_text& b) = default;

 private:
  friend class redaction_engine;
  friend struct alert_document; // all texts of an alert are redacted
  explicit redacted_text(std::string clean) : text_(std::move(clean)) {}

  std::string text_;
};

/// Joins literals, numbers and redacted texts: `redacted(literal{"CI "}, status)`.
template <class... Parts>
redacted_text redacted(const Parts&... parts) {
  redacted_text out;
  ((out += parts), ...);
  return out;
}

} // namespace gasoline
