#pragma once

#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"
#include "transport/sse/sse_response.hpp"
#include "transport/sse/stream_frame.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace gasoline {

/// One reader of a stream. It gets every event with an id above `after`, once and in order.
class stream_reader {
 public:
  /// Begins with the prologue and what the opening replays.
  stream_reader(stream_format format, std::string prologue, stream_opening opening);

  /// The response can be written now.
  void start(sse_response_ptr out);

  /// Events `first` to `last`, of which `text` holds the frames.
  void take(const std::vector<stream_event_ptr>& events, const sse_text& text);

  /// What was written has been sent.
  void on_drained() { catch_up(); }

  void finish();

 private:
  void catch_up();

  stream_format format_;
  std::string prologue_;
  std::uint64_t after_;
  sse_response_ptr out_;
  std::deque<stream_event_ptr> behind_; // to be sent before it is up to date
};

/// All readers of one stream with the same filter and format. Events that come while others are
/// being written leave together as one text, which all readers share; after a round of writing the
/// next one waits as long as that took, within `named_stream_join_ms`, so that a stream with many
/// readers joins more events instead of taking all of the thread. Used on the io thread only.
class stream_readers : public std::enable_shared_from_this<stream_readers> {
 public:
  using executor = boost::asio::io_context::executor_type;
  using reader_ptr = std::shared_ptr<stream_reader>;

  stream_readers(const executor& io, stream_format format, const limits& limit);

  void add(reader_ptr reader);
  void remove(const reader_ptr& reader);

  /// An event of the stream that passes the filter.
  void on_event(stream_event_ptr e);

  /// The stream is gone: ends all responses.
  void finish();

  /// Called when `finish` has left no reader.
  void on_finished(std::function<void()> handler) { finished_ = std::move(handler); }

  bool empty() const {
    return std::all_of(readers_.begin(), readers_.end(), [](const auto& r) { return !r; });
  }

 private:
  using clock = std::chrono::steady_clock;

  void plan_round();
  void begin_round();
  void write_some();
  void end_round();

  executor io_;
  const stream_format format_;
  const std::chrono::milliseconds longest_rest_;
  std::vector<reader_ptr> readers_; // null: removed during a round
  std::vector<stream_event_ptr> pending_;
  std::function<void()> finished_;
  bool planned_ = false;

  // The round that is under way
  bool writing_ = false;
  std::vector<stream_event_ptr> events_;
  sse_text text_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  clock::duration busy_{0}; // the time that the last round took
  clock::time_point ended_{};
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, executor> timer_;
};

} // namespace gasoline
