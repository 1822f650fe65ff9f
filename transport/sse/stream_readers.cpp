#include "transport/sse/stream_readers.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace gasoline {
namespace {

/// Readers written to before other work of the io thread gets its turn.
constexpr std::size_t written_at_a_time = 64;

/// What a reader that is behind gets at once.
constexpr std::size_t catch_up_bytes = 128U << 10U;

} // namespace

stream_reader::stream_reader(stream_format format, std::string prologue, stream_opening opening)
    : format_(format),
      prologue_(std::move(prologue)),
      after_(opening.newest),
      behind_(opening.replay.begin(), opening.replay.end()) {}

void stream_reader::start(sse_response_ptr out) {
  out_ = std::move(out);
  out_->send(std::make_shared<const std::string>(std::exchange(prologue_, {})));
  catch_up();
}

void stream_reader::take(const std::vector<stream_event_ptr>& events, const sse_text& text) {
  if (events.back()->id <= after_)
    return;
  const bool whole = after_ < events.front()->id;
  if (whole && out_ && behind_.empty()) {
    out_->send(text);
  } else {
    for (const auto& e : events)
      if (e->id > after_)
        behind_.push_back(e);
    catch_up();
  }
  after_ = events.back()->id;
}

/// A piece at a time, so that what is replayed does not count as a reader's slowness.
void stream_reader::catch_up() {
  if (!out_ || behind_.empty() || out_->unsent() >= catch_up_bytes)
    return;
  std::string text;
  while (!behind_.empty() && text.size() < catch_up_bytes) {
    append_stream_frame(text, *behind_.front(), format_);
    behind_.pop_front();
  }
  out_->send(std::make_shared<const std::string>(std::move(text)));
}

void stream_reader::finish() {
  if (out_)
    out_->finish();
}

stream_readers::stream_readers(const executor& io, stream_format format, const limits& limit)
    : io_(io), format_(format), longest_rest_(limit.stream.join_ms), timer_(io) {}

void stream_readers::add(reader_ptr reader) {
  readers_.push_back(std::move(reader));
}

void stream_readers::remove(const reader_ptr& reader) {
  const auto found = std::find(readers_.begin(), readers_.end(), reader);
  if (found == readers_.end())
    return;
  if (writing_)
    found->reset(); // the round goes by index
  else
    readers_.erase(found);
}

void stream_readers::on_event(stream_event_ptr e) {
  pending_.push_back(std::move(e));
  plan_round();
}

void stream_readers::plan_round() {
  if (planned_ || writing_ || pending_.empty())
    return;
  planned_ = true;
  const auto begin = [weak = weak_from_this()] {
    if (const auto self = weak.lock())
      self->begin_round();
  };
  const auto due = ended_ + std::min<clock::duration>(busy_, longest_rest_);
  if (due <= clock::now()) {
    boost::asio::post(io_, begin);
    return;
  }
  timer_.expires_at(due);
  timer_.async_wait([begin](const boost::system::error_code& ec) {
    if (!ec)
      begin();
  });
}

void stream_readers::begin_round() {
  planned_ = false;
  writing_ = true;
  busy_ = clock::duration{0};
  events_ = std::exchange(pending_, {});
  std::string text;
  for (const auto& e : events_)
    append_stream_frame(text, *e, format_);
  text_ = std::make_shared<const std::string>(std::move(text));
  next_ = 0;
  end_ = readers_.size();
  write_some();
}

void stream_readers::write_some() {
  const auto begun = clock::now();
  const auto to = std::min(next_ + written_at_a_time, end_);
  for (; next_ < to; ++next_)
    if (const auto reader = readers_[next_])
      reader->take(events_, text_);
  busy_ += clock::now() - begun;
  if (next_ == end_) {
    end_round();
    return;
  }
  boost::asio::post(io_, [weak = weak_from_this()] {
    if (const auto self = weak.lock())
      self->write_some();
  });
}

void stream_readers::end_round() {
  writing_ = false;
  ended_ = clock::now();
  events_.clear();
  text_.reset();
  std::erase(readers_, nullptr);
  plan_round();
}

void stream_readers::finish() {
  const auto all = readers_;
  for (const auto& reader : all) {
    if (!reader)
      continue;
    remove(reader);
    reader->finish();
  }
  if (finished_)
    finished_();
}

} // namespace gasoline
