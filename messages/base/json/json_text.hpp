#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// Appends `text` as a JSON string with quotes. `text` must be valid UTF-8.
void append_json_string(std::string& out, std::string_view text);

/// Where the text from `begin` on has the first byte that cannot stand as it is between the quotes
/// of JSON, or DEL; its end: none. Looks at eight bytes at a time.
std::size_t first_escaped(std::string_view text, std::size_t begin);

/// Appends a number with at most three decimals; non-finite numbers become `null`.
void append_json_number(std::string& out, double number);

/// The document as compact JSON; ill-formed UTF-8 becomes U+FFFD.
std::string dumped(const nlohmann::json& document);

/// The deepest nesting of brackets outside strings, without parsing: what nests too deep must never
/// become a document, which is destroyed and written by recursion.
std::size_t json_nesting(std::string_view text);

/// Caps on what a JSON text may hold before anybody makes values of it.
struct json_caps {
  std::size_t elements = 0; ///< of a list, when the text is one
  std::size_t values = 0;   ///< within one of them, or in all of a text that is no list
  std::size_t nesting = 0;  ///< of brackets
};

/// Which of them a text exceeds first.
enum class json_excess : std::uint8_t { none, elements, values, nesting };

/// Whether a text, which need not be JSON, is a list.
bool is_json_list(std::string_view text);

/// Reads a text only up to where it exceeds a cap, and takes no memory: what small things a list is
/// made of costs fifty times its bytes once they are values.
json_excess excess_of(std::string_view text, const json_caps& caps);

/// Builds one compact JSON object by appending; keys are literals of the code and need no escapes.
/// Cheaper than a document tree where an object is written once and never read.
class json_object_writer {
 public:
  /// Appends to `out`, which must outlive the writer; opens the object.
  explicit json_object_writer(std::string& out) : out_(out) { out_ += '{'; }
  json_object_writer(const json_object_writer&) = delete;
  json_object_writer& operator=(const json_object_writer&) = delete;

  json_object_writer& text(std::string_view key, std::string_view value);
  json_object_writer& number(std::string_view key, std::uint64_t value);
  json_object_writer& number(std::string_view key, std::int32_t value);
  json_object_writer& decimal(std::string_view key, double value);
  json_object_writer& boolean(std::string_view key, bool value);
  /// `json` must be a complete JSON value.
  json_object_writer& raw(std::string_view key, std::string_view json);
  /// Adds members that are already in JSON form: `"a":1,"b":2`. Empty adds nothing.
  json_object_writer& members(std::string_view json);

  /// Closes the object; nothing may be added afterwards.
  void close() { out_ += '}'; }

 private:
  void key(std::string_view name);

  std::string& out_;
  bool first_ = true;
};

} // namespace gasoline
