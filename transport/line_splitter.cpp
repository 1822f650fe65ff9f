#include "transport/line_splitter.hpp"

namespace gasoline {
namespace {

void give(std::string_view text, const std::function<void(std::string_view)>& line) {
  if (text.ends_with('\r'))
    text.remove_suffix(1);
  if (!text.empty())
    line(text);
}

} // namespace

void line_splitter::feed(std::string_view bytes, const std::function<void(std::string_view)>& line,
                         const std::function<void()>& overlong) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const bool complete = end != std::string_view::npos;
    const auto part = bytes.substr(0, end);
    bytes.remove_prefix(complete ? end + 1 : bytes.size());
    if (!dropping_ && partial_.size() + part.size() > max_bytes_) {
      dropping_ = true;
      std::string{}.swap(partial_);
    }
    if (!complete) {
      if (!dropping_)
        partial_ += part;
      return;
    }
    if (dropping_)
      overlong();
    else if (partial_.empty())
      give(part, line);
    else
      give(partial_ += part, line);
    dropping_ = false;
    partial_.clear();
  }
}

void line_splitter::finish(const std::function<void(std::string_view)>& line,
                           const std::function<void()>& overlong) {
  if (dropping_)
    overlong();
  else
    give(partial_, line);
  dropping_ = false;
  partial_.clear();
}

} // namespace gasoline
