#include "transport/sse/stream_readers.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace gasoline {
namespace {

/// Readers written to before other work of the io thread gets its turn.
constexpr std::size_t written_at_a_time = 64;

/// The frames of the events behind an id.
sse_text frames_after(std::uint64_t id, const std::vector<stream_event_ptr>& events,
                      stream_format format) {
  std::string text;
  for (const auto& e : events)
    if (e->id > id)
      append_stream_frame(text, *e, format);
  return std::make_shared<const std::string>(std::move(text));
}

} // namespace

stream_reader::stream_reader(stream_format format, std::string prologue, std::uint64_t after,
                             piece_source source)
    : format_(format), prologue_(std::move(prologue)), after_(after), source_(std::move(source)) {}

/// Moves along the table; ends and asks by itself, and answers what else is to be done.
reader_action stream_reader::advance(reader_event event) {
  const auto step = step_of(stage_, event);
  stage_ = step.next;
  if (step.action == reader_action::end)
    out_->finish();
  if (step.action == reader_action::ask)
    ask();
  return step.action;
}

void stream_reader::start(sse_response_ptr out) {
  out_ = std::move(out);
  if (advance(reader_event::started) != reader_action::begin)
    return;
  out_->send(std::make_shared<const std::string>(std::exchange(prologue_, {})));
  ask();
}

void stream_reader::ask() {
  source_(after_, [weak = weak_from_this()](const stream_piece& piece) {
    if (const auto self = weak.lock())
      self->on_piece(piece);
  });
}

void stream_reader::on_piece(const stream_piece& piece) {
  const auto event = piece.last ? reader_event::last_piece : reader_event::piece;
  if (advance(event) != reader_action::write)
    return;
  auto text = piece.missed > 0 ? missed_mark(piece.missed) : std::string{};
  text += *frames_after(after_, piece.events, format_);
  after_ = piece.to;
  out_->send(std::make_shared<const std::string>(std::move(text)));
  // Nothing of the piece may have passed the filter, and then nothing is sent that could drain.
  if (out_->unsent() == 0)
    advance(reader_event::drained);
}

void stream_reader::take(const std::vector<stream_event_ptr>& events, const sse_text& text) {
  if (events.back()->id <= after_ || advance(reader_event::round) != reader_action::write)
    return;
  const bool whole = after_ < events.front()->id;
  out_->send(whole ? text : frames_after(after_, events, format_));
  after_ = events.back()->id;
}

/// The word of it may come after more was written.
void stream_reader::on_drained() {
  if (out_->unsent() == 0)
    advance(reader_event::drained);
}

void stream_reader::finish() {
  advance(reader_event::finished);
}

stream_readers::stream_readers(const executor& io, stream_format format,
                               const limits_of<stream_room>& limit)
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
  if (writing_ || pending_.empty())
    return; // the end of the stream came first
  writing_ = true;
  ++round_;
  busy_ = clock::duration{0};
  events_ = std::exchange(pending_, {});
  text_ = frames_after(0, events_, format_);
  next_ = 0;
  end_ = readers_.size();
  write_some(written_at_a_time);
}

void stream_readers::write_some(std::size_t most) {
  const auto begun = clock::now();
  const auto to = next_ + std::min(most, end_ - next_);
  for (; next_ < to; ++next_)
    if (const auto reader = readers_[next_])
      reader->take(events_, text_);
  busy_ += clock::now() - begun;
  if (next_ == end_)
    end_round();
  else
    go_on_later();
}

void stream_readers::go_on_later() {
  boost::asio::post(io_, [weak = weak_from_this(), round = round_] {
    const auto self = weak.lock();
    if (self && self->writing_ && self->round_ == round)
      self->write_some(written_at_a_time);
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
  if (writing_)
    write_some(readers_.size());
  begin_round();
  if (writing_)
    write_some(readers_.size());
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
