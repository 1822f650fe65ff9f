#pragma once

#include "tools/bench/peers/latency_series.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline::bench {

/// The data of a stamped event: its number, the time at which it was published, and padding up to
/// the size of the rows.
std::string stamped_event(std::uint64_t number);

/// Many connections that read Server-Sent Events made of `stamped_event`. One thread reads all of
/// them; the newest event of each piece that is read counts as a sample of latency.
class sse_readers {
 public:
  /// Opens `count` responses of that path.
  sse_readers(std::uint16_t port, const std::string& path, std::size_t count);
  ~sse_readers();
  sse_readers(const sse_readers&) = delete;
  sse_readers& operator=(const sse_readers&) = delete;

  /// Reads what comes within that time.
  void read_for(clock::duration time);

  /// Reads until every reader has seen the event with that number; false when that takes too long.
  bool read_until(std::uint64_t number);

  /// The number up to which the slowest reader has read.
  std::uint64_t slowest() const;

  std::size_t alive() const;
  latency_series take_latency();

 private:
  struct reader {
    int fd = -1;
    std::uint64_t seen = 0;
    std::string tail; ///< the end of what was read before, in which a stamp may begin
  };

  bool poll_once(int timeout_ms);
  void read_from(reader& r);

  int epoll_ = -1;
  std::vector<reader> readers_;
  latency_series latency_;
};

} // namespace gasoline::bench
