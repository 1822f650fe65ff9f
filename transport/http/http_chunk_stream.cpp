#include "transport/http/http_chunk_stream.hpp"

#include "transport/http/http_connection.hpp"

#include <boost/asio/post.hpp>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;

// One gather write: within the 64 buffers that the socket layer passes on at a time.
constexpr std::size_t batch_pieces = 48;
constexpr std::uint64_t batch_bytes_target = 256ULL << 10;

constexpr std::string_view chunk_end = "\r\n";
constexpr std::string_view chunk_and_body_end = "\r\n0\r\n\r\n";
constexpr std::string_view body_end = "0\r\n\r\n";

std::string chunk_header(std::uint64_t bytes) {
  std::array<char, 18> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), bytes, 16).ptr;
  return std::string(text.data(), end) + "\r\n";
}

} // namespace

http_chunk_stream::http_chunk_stream(const executor& io, std::weak_ptr<http_connection> connection,
                                     body_framing framing, std::uint64_t unsent_cap,
                                     std::string head)
    : io_(io),
      connection_(std::move(connection)),
      prefix_(std::move(head)),
      unsent_cap_(unsent_cap),
      framing_(framing) {}

bool http_chunk_stream::write(std::string bytes) {
  return write(std::make_shared<const std::string>(std::move(bytes)));
}

bool http_chunk_stream::write(std::shared_ptr<const std::string> bytes) {
  const auto connection = connection_.lock();
  if (!connection || finished_)
    return false;
  if (bytes->empty())
    return true; // an empty chunk would end the body
  // What piled up before counts, so that a single large piece passes.
  if (unsent_ > unsent_cap_ || !connection->share().has_room_for(unsent_ + bytes->size())) {
    connection->disconnect_slow_reader();
    return false;
  }
  unsent_ += bytes->size();
  connection->share().keep_unsent(unsent_);
  waiting_.push_back(std::move(bytes));
  if (!writing_)
    send_next(*connection);
  return true;
}

void http_chunk_stream::finish() {
  const auto connection = connection_.lock();
  if (!connection || std::exchange(finished_, true))
    return;
  closed_ = nullptr;
  drained_ = nullptr;
  if (!writing_)
    send_next(*connection);
}

void http_chunk_stream::abort() {
  if (const auto connection = connection_.lock())
    connection->close();
}

void http_chunk_stream::on_closed(std::function<void()> handler) {
  closed_ = std::move(handler);
  if (connection_.expired())
    asio::post(io_, std::exchange(closed_, nullptr));
}

void http_chunk_stream::start(http_connection& connection) {
  writing_ = false;
  send_next(connection);
}

void http_chunk_stream::detach() {
  connection_.reset();
  waiting_.clear();
  drained_ = nullptr;
  if (closed_)
    asio::post(io_, std::exchange(closed_, nullptr));
}

void http_chunk_stream::send_next(http_connection& connection) {
  gather();
  if (!parts_.empty()) {
    writing_ = true;
    connection.write_stream(unwritten());
    return;
  }
  if (finished_)
    connection.end_stream();
  else if (drained_)
    asio::post(io_, drained_);
}

/// Joins what waits into the parts of one write; none when there is nothing to send.
void http_chunk_stream::gather() {
  batch_bytes_ = 0;
  while (!waiting_.empty() && batch_.size() < batch_pieces && batch_bytes_ < batch_bytes_target) {
    batch_bytes_ += waiting_.front()->size();
    batch_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  if (framing_ == body_framing::chunked && !batch_.empty())
    prefix_ += chunk_header(batch_bytes_);
  if (!prefix_.empty())
    parts_.push_back(asio::buffer(prefix_));
  for (const auto& bytes : batch_)
    parts_.push_back(asio::buffer(*bytes));
  if (framing_ == body_framing::chunked)
    add_chunk_end();
}

void http_chunk_stream::add_chunk_end() {
  const bool ends = finished_ && waiting_.empty() && !end_sent_;
  end_sent_ = end_sent_ || ends;
  std::string_view text;
  if (!batch_.empty())
    text = ends ? chunk_and_body_end : chunk_end;
  else if (ends)
    text = body_end;
  if (!text.empty())
    parts_.push_back(asio::buffer(text));
}

std::span<const asio::const_buffer> http_chunk_stream::unwritten() const {
  return std::span{parts_}.subspan(first_part_);
}

void http_chunk_stream::on_written(http_connection& connection, std::size_t bytes) {
  for (; first_part_ < parts_.size() && bytes >= parts_[first_part_].size(); ++first_part_)
    bytes -= parts_[first_part_].size();
  if (first_part_ < parts_.size()) {
    parts_[first_part_] += bytes;
    connection.write_stream(unwritten());
    return;
  }
  unsent_ -= batch_bytes_;
  connection.share().keep_unsent(unsent_);
  parts_.clear();
  batch_.clear();
  prefix_.clear();
  first_part_ = 0;
  writing_ = false;
  send_next(connection);
}

} // namespace gasoline
