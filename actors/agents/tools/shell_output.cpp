#include "actors/agents/tools/shell_output.hpp"

#include <algorithm>

namespace gasoline {

void shell_output::add(std::string_view bytes) {
  const auto half = most_bytes_ / 2;
  const auto into_head = std::min(bytes.size(), half - std::min(half, head_.size()));
  head_ += bytes.substr(0, into_head);
  tail_ += bytes.substr(into_head);
  // Cut only now and then: moving the tail for each piece would cost its size each time.
  if (tail_.size() <= 2 * half)
    return;
  left_out_ += tail_.size() - half;
  tail_.erase(0, tail_.size() - half);
}

std::size_t shell_output::surplus() const {
  const auto half = most_bytes_ / 2;
  return tail_.size() > half ? tail_.size() - half : 0;
}

bool shell_output::truncated() const {
  return left_out_ + surplus() > 0;
}

std::string shell_output::text() const {
  if (!truncated())
    return head_ + tail_;
  return head_ + "\n[" + std::to_string(left_out_ + surplus()) + " bytes left out]\n" +
         tail_.substr(surplus());
}

} // namespace gasoline
