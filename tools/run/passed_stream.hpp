#pragma once

#include "messages/base/file_descriptor.hpp"
#include "tools/run/copy_channel.hpp"
#include "tools/run/recent_pages.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace gasoline {

/// One stream of the command on its way to one of ours, every byte in order. Its copy goes to the
/// channel. While the channel is behind, pages of a pipe that goes into a pipe are moved there, not
/// copied, and the newest of them noted for later.
class passed_stream {
 public:
  passed_stream() = default; ///< ended

  /// `from` is the command's and does not block; `to` is ours. `keeps_on`: it is read to its end
  /// although nobody reads ours any more, as a terminal has to be.
  passed_stream(file_descriptor from, int to, copy_kind kind, bool keeps_on);

  int descriptor() const { return from_.get(); } ///< of the command's end; -1: it has ended
  bool is_open() const { return static_cast<bool>(from_); }

  /// Passes what is there on, and waits until it is written. Answers how many bytes that were.
  std::size_t pass(copy_channel& channel);

 private:
  std::size_t copy_bytes(copy_channel& channel);
  std::size_t move_pages(copy_channel& channel);
  bool move(std::size_t bytes);
  void look_at_noted(copy_channel& channel);
  void end(copy_channel& channel);

  file_descriptor from_;
  int to_ = -1;
  copy_kind kind_ = copy_kind::output;
  bool keeps_on_ = false;
  bool moves_pages_ = false;
  std::optional<recent_pages> noted_; ///< while the channel is behind
};

} // namespace gasoline
