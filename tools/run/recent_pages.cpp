#include "tools/run/recent_pages.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace gasoline {
namespace {

constexpr int most_noted_bytes = 1 << 20;

} // namespace

recent_pages::recent_pages() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    return;
  ::fcntl(ends[0], F_SETPIPE_SZ, most_noted_bytes);
  out_ = file_descriptor{ends[0]};
  in_ = file_descriptor{ends[1]};
  nowhere_ = file_descriptor{::open("/dev/null", O_WRONLY | O_CLOEXEC)};
}

ssize_t recent_pages::note(int from) {
  auto noted = ::tee(from, in_.get(), most_noted_bytes, SPLICE_F_NONBLOCK);
  if (noted < 0 && errno == EAGAIN && held_ > 0) { // it may be full
    leave_out_half();
    noted = ::tee(from, in_.get(), most_noted_bytes, SPLICE_F_NONBLOCK);
  }
  if (noted > 0)
    held_ += static_cast<std::size_t>(noted);
  return noted;
}

void recent_pages::leave_out_half() {
  for (auto left = held_ - held_ / 2; left > 0;) {
    const auto gone = ::splice(out_.get(), nullptr, nowhere_.get(), nullptr, left, 0);
    if (gone <= 0)
      return;
    left -= static_cast<std::size_t>(gone);
    held_ -= static_cast<std::size_t>(gone);
    left_out_ += static_cast<std::size_t>(gone);
  }
}

std::size_t recent_pages::take_left_out() noexcept {
  return std::exchange(left_out_, 0);
}

std::size_t recent_pages::take(char* bytes, std::size_t size) {
  if (held_ == 0)
    return 0;
  const auto got = ::read(out_.get(), bytes, size);
  if (got <= 0)
    return held_ = 0;
  held_ -= static_cast<std::size_t>(got);
  return static_cast<std::size_t>(got);
}

} // namespace gasoline
