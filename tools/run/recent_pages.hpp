#pragma once

#include "messages/base/file_descriptor.hpp"

#include <sys/types.h>

#include <cstddef>
#include <string_view>

namespace gasoline {

/// The newest pages that went through a pipe, at most 1 MB: held in a pipe of our own, so that no
/// byte is copied for it. Where the system refuses that pipe, it holds nothing.
class recent_pages {
 public:
  recent_pages();

  /// Notes what can be read from the pipe `from`, which stays there. Answers how many bytes that
  /// are; 0: it has ended; -1 with errno: EAGAIN, nothing is there; EINVAL, it is no pipe.
  ssize_t note(int from);

  /// How many bytes have been left out since the last call.
  std::size_t take_left_out() noexcept;

  /// The oldest bytes that are held, as many as fit; 0: none are.
  std::size_t take(char* bytes, std::size_t size);

 private:
  void leave_out_half();

  file_descriptor in_;
  file_descriptor out_;
  file_descriptor nowhere_;
  std::size_t held_ = 0;
  std::size_t left_out_ = 0;
};

} // namespace gasoline
