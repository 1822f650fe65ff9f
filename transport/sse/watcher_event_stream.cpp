#include "transport/sse/watcher_event_stream.hpp"

#include <string_view>
#include <utility>

namespace gasoline {
namespace {

/// What is given to the socket at once; more waits here, so that it does not count as unread.
constexpr std::uint64_t unsent_bytes = 128U << 10U;

/// Texts above this size are written as they are, shared by all who get them.
constexpr std::size_t most_copied_bytes = 16U << 10U;

constexpr std::string_view event_beginning = R"({"type":"event","event":{"id":")";
constexpr std::string_view ping_mark = R"("type":"ping")";

/// The id of the event that a frame holds; empty: it is none.
std::string_view id_in(std::string_view frame) {
  if (!frame.starts_with(event_beginning))
    return {};
  const auto rest = frame.substr(event_beginning.size());
  return rest.substr(0, rest.find('"'));
}

std::string beginning_of(std::string_view frame) {
  const auto id = id_in(frame);
  return (id.empty() ? std::string{} : "id: " + std::string{id} + "\n") + "data: ";
}

bool is_ping(std::string_view frame) {
  return frame.size() < 100 && frame.find(ping_mark) != std::string_view::npos;
}

void write_frame(http_stream& out, const frame_text& frame) {
  if (is_ping(*frame)) {
    out.write(std::string{": still here\n\n"});
  } else if (frame->size() <= most_copied_bytes) {
    out.write(beginning_of(*frame) + *frame + "\n\n");
  } else {
    out.write(beginning_of(*frame));
    out.write(frame);
    out.write(std::string{"\n\n"});
  }
}

} // namespace

std::uint64_t watcher_event_stream::send(std::vector<frame_text> frames, frame_pace) {
  for (auto& frame : frames)
    waiting_.push_back(std::move(frame));
  write_some();
  return 0; // told when the stream has drained
}

void watcher_event_stream::write_some() {
  while (out_ && !waiting_.empty() && out_->unsent() < unsent_bytes) {
    const auto frame = std::move(waiting_.front());
    waiting_.pop_front();
    ++written_;
    write_frame(*out_, frame);
  }
}

void watcher_event_stream::on_drained() {
  if (const auto frames = std::exchange(written_, 0); frames > 0 && client_)
    caf::anon_send(client_, sent_atom_v, frames);
  write_some();
}

void watcher_event_stream::close(std::uint16_t, std::string) {
  client_ = watcher_actor{};
  closed_ = true;
  if (out_)
    std::exchange(out_, nullptr)->finish();
  waiting_.clear();
}

void watcher_event_stream::start(http_stream_ptr out) {
  out_ = std::move(out);
  const auto self = shared_from_this();
  out_->on_closed([self] { self->abandon(); });
  out_->on_drained([self] { self->on_drained(); });
  write_some();
  if (closed_ && out_)
    std::exchange(out_, nullptr)->finish();
}

void watcher_event_stream::abandon() {
  out_.reset();
  if (const auto client = std::exchange(client_, watcher_actor{}))
    caf::anon_send(client, closed_atom_v);
}

} // namespace gasoline
