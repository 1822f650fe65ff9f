#pragma once

#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"
#include "transport/sse/reader_stages.hpp"
#include "transport/sse/sse_response.hpp"
#include "transport/sse/stream_frame.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// One reader of a stream. It gets every event with an id above that of its opening, once and in
/// order, but for those that left the buffer before it could take them, of which it is told. What
/// can happen to it is the table in `reader_stages.hpp`.
class stream_reader : public std::enable_shared_from_this<stream_reader> {
 public:
  /// Has the registry look for what is buffered behind an id, and calls `done` with it on the io
  /// thread.
  using piece_source =
      std::function<void(std::uint64_t after, std::function<void(stream_piece)> done)>;

  /// `prologue` is written first; the reader gets what is behind the id `after`.
  stream_reader(stream_format format, std::string prologue, std::uint64_t after,
                piece_source source);

  /// The response can be written now.
  void start(sse_response_ptr out);

  /// Events of the stream, in order, of which `text` holds the frames.
  void take(const std::vector<stream_event_ptr>& events, const sse_text& text);

  /// What was written has been sent.
  void on_drained();

  /// The stream is gone: ends the response, at once or as soon as it begins.
  void finish();

 private:
  reader_action advance(reader_event event);
  void ask();
  void on_piece(const stream_piece& piece);

  const stream_format format_;
  std::string prologue_;
  std::uint64_t after_; // has been sent everything up to this id
  piece_source source_;
  sse_response_ptr out_;
  reader_stage stage_ = reader_stage::opening;
};

/// All readers of one stream with the same filter and format. Events that come while others are
/// being written leave together as one text, which all readers share; after a round of writing the
/// next one waits as long as that took, within `named_stream_join_ms`, so that a stream with many
/// readers joins more events instead of taking all of the thread. Used on the io thread only.
class stream_readers : public std::enable_shared_from_this<stream_readers> {
 public:
  using executor = boost::asio::io_context::executor_type;
  using reader_ptr = std::shared_ptr<stream_reader>;

  stream_readers(const executor& io, stream_format format, const limits_of<stream_room>& limit);

  void add(reader_ptr reader);
  void remove(const reader_ptr& reader);

  /// An event of the stream that passes the filter.
  void on_event(stream_event_ptr e);

  /// The stream is gone: what has come of it is written, and all responses end.
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
  void write_some(std::size_t most);
  void go_on_later();
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
  std::uint64_t round_ = 0; // its number
  std::vector<stream_event_ptr> events_;
  sse_text text_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  clock::duration busy_{0}; // the time that the last round took
  clock::time_point ended_{};
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, executor> timer_;
};

} // namespace gasoline
