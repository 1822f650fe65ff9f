#include "transport/routes/stream_broadcast.hpp"

#include "transport/http/head/url_encoding.hpp"
#include "transport/routes/stream_routes.hpp"
#include "transport/sse/last_event_id.hpp"

#include <boost/asio/post.hpp>

#include <optional>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;

/// Carries what the registry tells over to the io thread.
class posting_tap : public stream_tap {
 public:
  posting_tap(const stream_readers::executor& io, std::weak_ptr<stream_readers> readers)
      : io_(io), readers_(std::move(readers)) {}

  void on_event(const stream_event_ptr& e) override {
    asio::post(io_, [readers = readers_, e] {
      if (const auto target = readers.lock())
        target->on_event(e);
    });
  }

  void on_deleted() override {
    asio::post(io_, [readers = readers_] {
      if (const auto target = readers.lock())
        target->finish();
    });
  }

 private:
  stream_readers::executor io_;
  std::weak_ptr<stream_readers> readers_;
};

std::optional<stream_format> format_of(const http_call& call) {
  const auto name = query_parameter(call.query, "format");
  if (!name || *name == "data")
    return stream_format::data;
  if (*name == "full")
    return stream_format::full;
  return std::nullopt;
}

} // namespace

stream_broadcast::stream_broadcast(const executor& io, stream_registry_actor registry,
                                   const limits_of<mcp_room, stream_room>& limit)
    : io_(io),
      registry_(std::move(registry)),
      limit_(limit),
      keepalive_(std::make_shared<sse_keepalive>(io, limit)) {}

stream_broadcast::group& stream_broadcast::group_of(const std::string& key, stream_format format) {
  auto& found = groups_[key];
  if (!found.readers) {
    found.readers = std::make_shared<stream_readers>(io_, format, limit_);
    found.tap = std::make_shared<posting_tap>(io_, found.readers);
    found.readers->on_finished([weak = weak_from_this(), key] {
      if (const auto self = weak.lock())
        self->drop_if_unused(key);
    });
  }
  return found;
}

void stream_broadcast::serve(const std::string& stream, asking_party caller, const http_call& call,
                             const http_reply& reply) {
  const auto format = format_of(call);
  if (!format) {
    reply(stream_response(refused_stream(stream_outcome::invalid,
                                         "format must be data (the event's data alone) or full "
                                         "(the whole event).")));
    return;
  }
  const auto topic = query_parameter(call.query, "topic").value_or("");
  const auto last_id = last_event_id(call);
  // No topic holds a line break.
  const auto key = stream + '\n' + topic + (*format == stream_format::full ? "\nfull" : "\n");
  auto& target = group_of(key, *format);
  ++target.opening;
  auto wanted = std::make_shared<open_tap>();
  wanted->stream = stream;
  wanted->topic = topic;
  wanted->after = last_id ? parse_event_id(*last_id) : std::nullopt;
  wanted->tap = target.tap;
  wanted->caller = std::move(caller);
  wanted->reply = [weak = weak_from_this(), io = io_, key, format = *format,
                   reply](stream_opening opening) {
    asio::post(io, [weak, key, format, reply, opening = std::move(opening)]() mutable {
      if (const auto self = weak.lock())
        self->on_opening(key, format, std::move(opening), reply);
    });
  };
  caf::anon_send(registry_, join_atom_v, open_tap_ptr{std::move(wanted)});
}

void stream_broadcast::on_opening(const std::string& key, stream_format format,
                                  stream_opening opening, const http_reply& reply) {
  --groups_.at(key).opening;
  if (opening.refusal.is_refusal())
    reply(stream_response(std::move(opening.refusal)));
  else
    add_reader(key, format, opening, reply);
  drop_if_unused(key);
}

/// Asks the registry, and carries its answer over to the io thread.
stream_reader::piece_source stream_broadcast::pieces_of(const stream_tap_ptr& tap) const {
  return [io = io_, registry = registry_, tap](std::uint64_t after,
                                               std::function<void(stream_piece)> done) {
    auto wanted = std::make_shared<read_piece>();
    wanted->tap = tap;
    wanted->after = after;
    wanted->reply = [io, done = std::move(done)](stream_piece piece) {
      asio::post(io, [done, piece = std::move(piece)] { done(piece); });
    };
    caf::anon_send(registry, read_atom_v, read_piece_ptr{std::move(wanted)});
  };
}

void stream_broadcast::add_reader(const std::string& key, stream_format format,
                                  const stream_opening& opening, const http_reply& reply) {
  const auto prologue = stream_prologue(limit_.mcp.retry_ms, opening.life, opening.from) +
                        place_mark(opening.place, opening.from);
  const auto reader = std::make_shared<stream_reader>(format, prologue, opening.from,
                                                      pieces_of(groups_.at(key).tap));
  groups_.at(key).readers->add(reader);
  const auto gone = [weak = weak_from_this(), key, reader] {
    if (const auto self = weak.lock())
      self->remove_reader(key, reader);
  };
  reply(respond_with_events(
      [keepalive = keepalive_, reader, gone](http_stream_ptr stream) {
        auto out = keepalive->adopt(std::move(stream));
        out->on_closed(gone);
        out->on_drained([weak = std::weak_ptr(reader)] {
          if (const auto target = weak.lock())
            target->on_drained();
        });
        reader->start(std::move(out));
      },
      gone));
}

void stream_broadcast::remove_reader(const std::string& key, const reader_ptr& reader) {
  const auto found = groups_.find(key);
  if (found == groups_.end())
    return;
  found->second.readers->remove(reader);
  drop_if_unused(key);
}

void stream_broadcast::drop_if_unused(const std::string& key) {
  const auto found = groups_.find(key);
  if (found == groups_.end() || found->second.opening > 0 || !found->second.readers->empty())
    return;
  caf::anon_send(registry_, leave_atom_v, found->second.tap);
  groups_.erase(found);
}

} // namespace gasoline
