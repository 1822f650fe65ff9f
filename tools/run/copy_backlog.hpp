#pragma once

#include "tools/run/copy_kind.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace gasoline {

/// The packets that wait for the observer, in order, at most 8 MB. Once something has to be left
/// out, the newest 1 MB stays, until the observer has caught up: how a command ended is said last.
/// What is left out is a packet too, so that the observer knows where, and counted. Pure.
class copy_backlog {
 public:
  void add(copy_kind kind, std::string_view bytes);

  /// Bytes that come here in the order and that nobody has kept.
  void leave_out(std::uint64_t bytes);

  bool empty() const noexcept { return packets_.empty(); }

  /// The oldest packet as it is sent; there must be one. Stays until the backlog is changed.
  std::string_view front() const { return packets_.front().text; }
  void pop();
  void clear();

  /// Whether something had to be left out and the observer has not caught up since.
  bool is_behind() const noexcept { return behind_; }

  std::uint64_t left_out() const noexcept { return left_out_; } ///< bytes, in all

 private:
  struct packet {
    std::string text;           ///< its kind and what it says
    std::uint64_t left_out = 0; ///< of a gap: bytes
  };

  void add_piece(copy_kind kind, std::string_view bytes);
  void make_room(std::size_t bytes);
  void drop_oldest();
  static packet gap_of(std::uint64_t bytes);

  std::deque<packet> packets_;
  std::size_t bytes_ = 0; ///< of the texts
  std::uint64_t left_out_ = 0;
  bool behind_ = false;
};

} // namespace gasoline
