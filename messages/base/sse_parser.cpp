#include "messages/base/sse_parser.hpp"

#include <charconv>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

} // namespace

void sse_parser::feed(std::string_view bytes,
                      const std::function<void(const sse_received&)>& take) {
  for (const char c : bytes) {
    const bool second_of_pair = c == '\n' && std::exchange(after_cr_, false);
    if (second_of_pair)
      continue;
    after_cr_ = c == '\r';
    if (c == '\r' || c == '\n')
      take_line(take);
    else if (line_.size() < most_bytes_)
      line_ += c;
    else
      overflowed_ = true;
  }
}

void sse_parser::take_line(const std::function<void(const sse_received&)>& take) {
  auto line = std::exchange(line_, {});
  if (!std::exchange(begun_, true) && line.starts_with(byte_order_mark))
    line.erase(0, byte_order_mark.size());
  if (!line.empty()) {
    const auto colon = line.find(':');
    std::string_view value;
    if (colon != std::string::npos)
      value = std::string_view{line}.substr(colon + 1);
    if (value.starts_with(' '))
      value.remove_prefix(1);
    take_field(std::string_view{line}.substr(0, colon), value);
    return;
  }
  last_id_ = id_;
  if (has_data_) {
    data_.pop_back(); // the last line break
    take({last_id_, type_.empty() ? "message" : type_, data_});
  }
  type_.clear();
  data_.clear();
  has_data_ = false;
}

void sse_parser::take_field(std::string_view name, std::string_view value) {
  if (name == "event") {
    type_ = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos)
      id_ = value;
  } else if (name == "retry") {
    std::uint64_t number = 0;
    const auto* end = value.data() + value.size();
    if (const auto [at, ec] = std::from_chars(value.data(), end, number);
        ec == std::errc{} && at == end)
      retry_ms_ = number;
  } else if (name == "data") {
    add_data(value);
  } else if (!typed_field_.empty() && name == typed_field_) {
    type_ = name;
    add_data(value);
  }
}

void sse_parser::add_data(std::string_view value) {
  if (data_.size() + value.size() > most_bytes_) {
    overflowed_ = true;
    return;
  }
  has_data_ = true;
  data_.append(value) += '\n';
}

void sse_parser::restart() {
  line_.clear();
  begun_ = false;
  type_.clear();
  data_.clear();
  id_ = last_id_;
  has_data_ = false;
  after_cr_ = false;
}

} // namespace gasoline
