#include "tools/run/copy_backlog.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_backlog_bytes = 8U << 20U;
constexpr std::size_t most_backlog_bytes_behind = 1U << 20U;
constexpr std::size_t most_packet_bytes = 64U << 10U; ///< besides the kind

} // namespace

void copy_backlog::add(copy_kind kind, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, most_packet_bytes);
    make_room(piece.size());
    add_piece(kind, piece);
    bytes.remove_prefix(piece.size());
  }
}

// A command that prints byte by byte would otherwise fill memory with the packets themselves.
void copy_backlog::add_piece(copy_kind kind, std::string_view bytes) {
  const bool fits = !packets_.empty() && packets_.back().text.front() == static_cast<char>(kind) &&
                    packets_.back().text.size() + bytes.size() <= most_packet_bytes + 1;
  if (!fits) {
    packets_.push_back({std::string(1, static_cast<char>(kind))});
    ++bytes_;
  }
  packets_.back().text += bytes;
  bytes_ += bytes.size();
}

copy_backlog::packet copy_backlog::gap_of(std::uint64_t bytes) {
  return {static_cast<char>(copy_kind::gap) + std::to_string(bytes), bytes};
}

void copy_backlog::make_room(std::size_t bytes) {
  if (bytes_ + bytes <= (behind_ ? most_backlog_bytes_behind : most_backlog_bytes))
    return;
  behind_ = true;
  std::uint64_t gone = 0;
  while (!packets_.empty() && bytes_ + bytes > most_backlog_bytes_behind) {
    const auto& oldest = packets_.front();
    const auto counted = oldest.left_out > 0 ? 0 : oldest.text.size() - 1;
    left_out_ += counted;
    gone += counted + oldest.left_out;
    drop_oldest();
  }
  if (!packets_.empty() && packets_.front().left_out > 0) {
    gone += packets_.front().left_out;
    drop_oldest();
  }
  packets_.push_front(gap_of(gone));
  bytes_ += packets_.front().text.size();
}

void copy_backlog::leave_out(std::uint64_t bytes) {
  if (bytes == 0)
    return;
  left_out_ += bytes;
  if (!packets_.empty() && packets_.back().left_out > 0) {
    bytes += packets_.back().left_out;
    bytes_ -= packets_.back().text.size();
    packets_.pop_back();
  }
  packets_.push_back(gap_of(bytes));
  bytes_ += packets_.back().text.size();
}

void copy_backlog::drop_oldest() {
  bytes_ -= packets_.front().text.size();
  packets_.pop_front();
}

void copy_backlog::pop() {
  drop_oldest();
  behind_ = behind_ && !packets_.empty();
}

void copy_backlog::clear() {
  packets_.clear();
  bytes_ = 0;
  behind_ = false;
}

} // namespace gasoline
