#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

// What OTLP says, whichever of its two encodings it came in. Texts are views, into the body or into
// the scratch of the reader, and hold for the call that shows them only. All of them are valid
// UTF-8.

/// One value of an attribute or a body. Lists, maps and bytes are written down as JSON.
struct otlp_value {
  enum class type : std::uint8_t { none, text, boolean, integer, number, json };

  type kind = type::none;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string_view text{}; ///< of a text; of `json` the complete value
};

struct otlp_attribute {
  std::string_view key;
  otlp_value value;
};

using otlp_attributes = std::vector<otlp_attribute>;

/// The value of that attribute; null: there is none.
const otlp_value* find_attribute(const otlp_attributes& attributes, std::string_view key);

/// The text of that attribute; empty: there is none, or it is no text.
std::string_view attribute_text(const otlp_attributes& attributes, std::string_view key);

/// The id of a trace or a span as lower-case digits; all zeros count as none.
class otlp_id {
 public:
  /// From the bytes themselves; other lengths than 8 and 16 give none.
  static otlp_id of_bytes(std::string_view bytes);

  /// From JSON: hexadecimal in any case as the specification wants it, or base64 as generic
  /// protobuf libraries write it.
  static otlp_id of_json(std::string_view text);

  bool empty() const noexcept { return size_ == 0; }
  std::string_view view() const noexcept { return {digits_.data(), size_}; }

 private:
  std::array<char, 32> digits_{};
  std::size_t size_ = 0;
};

/// One record of a log.
struct otlp_log {
  std::uint64_t time_ns = 0;
  std::uint64_t observed_ns = 0;
  std::uint32_t severity = 0; ///< 1 to 24; 0: not told
  std::string_view severity_text{};
  std::string_view event_name{};
  otlp_value body{};
  otlp_attributes attributes{};
  otlp_id trace{};
  otlp_id span{};
};

/// Something that happened within a span.
struct otlp_span_event {
  std::uint64_t time_ns = 0;
  std::string_view name{};
  otlp_attributes attributes{};
};

/// What a span stands for.
enum class otlp_span_kind : std::uint8_t { unknown, internal, server, client, producer, consumer };

/// By its number on the wire.
constexpr otlp_span_kind otlp_span_kind_of(std::uint64_t number) {
  return number <= 5 ? static_cast<otlp_span_kind>(number) : otlp_span_kind::unknown;
}

/// One piece of work of a service.
struct otlp_span {
  otlp_id trace{};
  otlp_id span{};
  otlp_id parent{};
  std::string_view name{};
  otlp_span_kind kind = otlp_span_kind::unknown;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  otlp_attributes attributes{};
  std::vector<otlp_span_event> events{};
  bool failed = false; ///< status code 2
  std::string_view status_message{};
};

/// Keeps the texts that a reader had to make.
class otlp_scratch {
 public:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  /// The text as valid UTF-8: itself, or a repaired copy.
  std::string_view valid(std::string_view text);

  void clear() { texts_.clear(); }

 private:
  std::deque<std::string> texts_;
};

} // namespace gasoline
