#include "transport/cdp/message_splitter.hpp"

#include <utility>

namespace gasoline {

void message_splitter::take(std::string_view bytes, const std::function<void(std::string)>& tell) {
  for (auto end = bytes.find('\0'); end != std::string_view::npos; end = bytes.find('\0')) {
    add(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    auto message = std::exchange(begun_, {});
    if (!std::exchange(too_large_, false))
      tell(std::move(message));
  }
  add(bytes);
}

void message_splitter::add(std::string_view bytes) {
  if (too_large_)
    return;
  if (begun_.size() + bytes.size() <= most_bytes_) {
    begun_ += bytes;
    return;
  }
  too_large_ = true;
  ++dropped_;
  begun_ = {};
}

} // namespace gasoline
