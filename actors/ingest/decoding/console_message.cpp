#include "actors/ingest/decoding/console_message.hpp"

#include "actors/base/dom_values.hpp"

#include <cstddef>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

/// Fills one directive after the other into a format.
class format_filler {
 public:
  explicit format_filler(const dom::array& values) : next_(values.begin()), end_(values.end()) {}

  void skip() { ++next_; }

  std::string fill(std::string_view format) {
    std::string out;
    std::size_t begin = 0;
    for (auto p = format.find('%'); p != std::string_view::npos && p + 1 < format.size();
         p = format.find('%', begin)) {
      out.append(format, begin, p - begin);
      begin = p + directive(out, format.substr(p, 2));
    }
    return out.append(format, begin);
  }

  void append_rest(std::string& out) {
    for (; next_ != end_; ++next_) {
      if (!out.empty())
        out += ' ';
      out += text_of(*next_);
    }
  }

 private:
  /// Appends what the directive stands for; the bytes of the format that it takes.
  std::size_t directive(std::string& out, std::string_view text) {
    if (text == "%%") {
      out += '%';
      return 2;
    }
    constexpr std::string_view letters = "sdifoOjc";
    if (next_ == end_ || letters.find(text[1]) == std::string_view::npos) {
      out += '%';
      return 1;
    }
    if (text[1] != 'c')
      out += text_of(*next_);
    ++next_;
    return 2;
  }

  dom::array::iterator next_;
  dom::array::iterator end_;
};

} // namespace

std::string console_message(std::string_view format, const dom::element& values) {
  dom::array list;
  if (values.get_array().get(list) != simdjson::SUCCESS)
    return text_of(values);
  format_filler filler{list};
  std::string_view first = format;
  if (first.empty() && list.begin() != list.end() &&
      (*list.begin()).get_string().get(first) == simdjson::SUCCESS)
    filler.skip();
  std::string out = filler.fill(first);
  filler.append_rest(out);
  return out;
}

} // namespace gasoline
