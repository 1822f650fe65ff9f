#include "actors/streams/listener_news.hpp"

#include <utility>

namespace gasoline {
namespace {

void tell_watchers(const std::vector<stream_watcher>& watchers, const stream_notice_ptr& notice) {
  for (const auto& watcher : watchers)
    caf::anon_send(watcher.session, stream_atom_v, notice);
}

/// Hands an event to one listener. Of several reads of one subscription the first gets it.
void hand_over(stream_registry_pointer self, std::uint64_t key, const stream_event_ptr& e) {
  auto* listener = self->state.listeners.find(key);
  if (!listener)
    return;
  if (const auto* tap = std::get_if<open_stream_tap>(&listener->who)) {
    tap->tap->on_event(e);
    return;
  }
  if (const auto* told = std::get_if<told_subscription>(&listener->who)) {
    caf::anon_send(told->session, stream_atom_v, notice_of(listener->stream, e->id, e));
    return;
  }
  try_read(self, key);
}

} // namespace

std::uint64_t newest_of(stream_registry_pointer self, const std::string& stream) {
  const auto* found = self->state.directory->find(stream);
  return found ? found->ring.newest_id() : 0;
}

stream_notice_ptr notice_of(const std::string& stream, std::uint64_t newest, stream_event_ptr e) {
  auto out = std::make_shared<stream_notice>();
  out->stream = stream;
  out->newest = newest;
  out->event = std::move(e);
  return out;
}

void try_read(stream_registry_pointer self, std::uint64_t key) {
  const auto& read = std::get<waiting_read>(self->state.listeners.find(key)->who);
  auto page = self->state.directory->read(read.wanted);
  if (page.events.empty())
    return;
  auto taken = self->state.listeners.take(key);
  std::get<waiting_read>(taken->who).promise.deliver(std::move(page));
}

void spread(stream_registry_pointer self, const std::string& stream, const stream_event_ptr& e) {
  auto& listeners = self->state.listeners;
  for (const auto key : listeners.wanting(stream, e->topic.view()))
    hand_over(self, key, e);
  if (auto watchers = listeners.take_watchers(stream, e->id); !watchers.empty())
    tell_watchers(watchers, notice_of(stream, e->id));
}

void drop_listeners(stream_registry_pointer self, const std::string& stream) {
  auto& listeners = self->state.listeners;
  for (const auto key : listeners.of_stream(stream)) {
    auto listener = listeners.take(key);
    if (const auto* tap = std::get_if<open_stream_tap>(&listener->who))
      tap->tap->on_deleted();
    else if (auto* read = std::get_if<waiting_read>(&listener->who)) {
      stream_page page;
      page.problem =
          "Stream " + quoted_text(stream) + " was deleted, and the subscription has ended with it.";
      read->promise.deliver(std::move(page));
    }
  }
}

void tell_of_change(stream_registry_pointer self, const std::string& stream) {
  tell_watchers(self->state.listeners.take_watchers(stream),
                notice_of(stream, newest_of(self, stream)));
}

} // namespace gasoline
