#include "actors/agents/providers/model_provider.hpp"

#include "actors/agents/providers/call_failures.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/base/json/json_repair.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

using model_provider_actor = provider_actor::extend_with<fetch_reader>;
using model_provider_pointer = model_provider_actor::stateful_pointer<model_provider_state>;

/// Of what a server says, this much is shown.
constexpr std::size_t most_message_bytes = 500;

/// So long a complete answer waits for what a server may send after its last word.
constexpr std::chrono::milliseconds last_patience{300};

void tell_chunks(model_provider_pointer self, std::vector<provider_chunk> chunks) {
  if (!chunks.empty())
    self->send(self->state.setup->turn, chunk_atom_v,
               std::make_shared<const std::vector<provider_chunk>>(std::move(chunks)));
}

void end_call(model_provider_pointer self) {
  if (self->state.fetch)
    self->state.fetch->cancel();
  self->quit();
}

/// Servers repeat what they were sent; the key is not shown for that.
std::string without_key(std::string text, const std::string& key) {
  constexpr std::string_view mask = "[REDACTED]";
  for (auto at = key.empty() ? std::string::npos : text.find(key); at != std::string::npos;
       at = text.find(key, at + mask.size()))
    text.replace(at, key.size(), mask);
  return text;
}

void clean(const model_provider_setup& setup, call_failure& failure) {
  failure.message = setup.redaction->text(without_key(std::move(failure.message), setup.key))
                        .shortened(most_message_bytes)
                        .str();
}

/// Tells chunks after failures among them have been made fit to be shown.
void tell_answer(model_provider_pointer self, std::vector<provider_chunk> chunks) {
  for (auto& chunk : chunks)
    if (chunk.kind == chunk_kind::failed) {
      if (chunk.failure.message.empty())
        chunk.failure.message =
            "The provider says only that there was an error (" + chunk.failure.error_class + ").";
      clean(*self->state.setup, chunk.failure);
    }
  const bool last = self->state.stream && self->state.stream->ended();
  tell_chunks(self, std::move(chunks));
  if (last)
    end_call(self);
}

void fail_with(model_provider_pointer self, call_failure failure) {
  clean(*self->state.setup, failure);
  auto chunk = chunk_of(chunk_kind::failed, 0);
  chunk.failure = std::move(failure);
  tell_chunks(self, {std::move(chunk)});
  end_call(self);
}

std::string value_of_header(const fetch_head& head, std::string_view name) {
  for (const auto& [key, value] : head.headers)
    if (key == name)
      return value;
  return {};
}

/// Whether a body begins as an event stream does. Some servers send one under another type.
bool begins_as_events(std::string_view body) {
  constexpr std::string_view beginnings[] = {"data:", "event:", "id:", "retry:", ":"};
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view beginning) { return body.starts_with(beginning); });
}

void take_head(model_provider_pointer self, const fetch_head& head) {
  auto& state = self->state;
  state.head = head;
  auto type = value_of_header(head, "content-type");
  for (char& c : type)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (head.status == 200 && type.starts_with("text/event-stream"))
    state.stream = state.setup->provider->stream(*state.setup->call, state.setup->limit);
  state.is_document = head.status == 200 && type.starts_with("application/json");
}

/// An answer that came whole, from a server that does not stream; false: it is none.
bool tell_document(model_provider_pointer self) {
  auto& state = self->state;
  if (!state.is_document)
    return false;
  auto answer = state.setup->provider->stream(*state.setup->call, state.setup->limit);
  auto chunks = answer->take_document(state.body);
  if (chunks.empty())
    return false;
  state.stream = std::move(answer);
  tell_answer(self, std::move(chunks));
  return true;
}

/// What the server said in an answer that is no event stream.
std::string said_in(const std::string& body, const limits_of<ingest_room, session_room>& limit) {
  if (json_nesting(body) > limit.ingest.json_depth)
    return {};
  const auto document = json::parse(repaired_json(body), nullptr, false);
  return message_of_error(document);
}

void fail_by_answer(model_provider_pointer self) {
  const auto& state = self->state;
  const auto said = said_in(state.body, state.setup->limit);
  const auto status = std::to_string(state.head.status);
  if (state.head.status < 400) {
    auto failure =
        malformed_stream("The provider answered " + status + " without an event stream" +
                         (said.empty() ? std::string{"; is its base_url right?"} : ": " + said));
    failure.status = state.head.status;
    return fail_with(self, std::move(failure));
  }
  auto failure = failure_of_status(state.head.status);
  failure.retry_after_ms =
      retry_after_of(state.head.headers, state.setup->clock(self->clock().now()));
  failure.message =
      "The provider answered " + status + (said.empty() ? std::string{"."} : ": " + said);
  fail_with(self, std::move(failure));
}

void take_body(model_provider_pointer self, const std::string& bytes) {
  auto& state = self->state;
  if (state.stream) {
    tell_answer(self, state.stream->feed(bytes));
    if (state.stream->lingers() && !std::exchange(state.lingers, true))
      self->delayed_send(self, last_patience, finished_atom_v);
    return;
  }
  const auto& limit = state.setup->limit.session;
  const auto room =
      (state.is_document ? limit.message_bytes : limit.call_error_bytes) - state.body.size();
  state.body += bytes.substr(0, room);
  if (state.head.status == 200 && begins_as_events(state.body)) {
    state.stream = state.setup->provider->stream(*state.setup->call, state.setup->limit);
    // The whole of it, since what did not fit was not kept.
    const auto kept = state.body.size() - std::min(room, bytes.size());
    auto whole = std::exchange(state.body, {}).substr(0, kept);
    whole += bytes;
    return take_body(self, whole);
  }
  // A server that never comes to an end is not listened to any longer.
  if (bytes.size() > room)
    fail_by_answer(self);
}

void take_end_of_body(model_provider_pointer self) {
  if (self->state.stream)
    tell_answer(self, self->state.stream->end());
  else if (!tell_document(self))
    fail_by_answer(self);
}

void take_fetch_failure(model_provider_pointer self, const fetch_failure& failure) {
  if (self->state.head.status >= 400)
    fail_by_answer(self);
  else
    fail_with(self, failure_of_fetch(failure));
}

model_provider_actor::behavior_type ask_model(model_provider_pointer self,
                                              model_provider_setup setup) {
  guard_exceptions(self);
  self->state.setup = std::move(setup);
  const auto& given = *self->state.setup;
  self->state.fetch =
      given.http->start(given.provider->request(*given.call, given.where, given.key, given.limit),
                        fetch_reader{self});
  return {
      [self](cancel_atom) { end_call(self); },
      [self](open_atom, const fetch_head& head) { take_head(self, head); },
      [self](receive_atom, const std::string& bytes) { take_body(self, bytes); },
      [self](finished_atom) { take_end_of_body(self); },
      [self](closed_atom, const fetch_failure& failure) { take_fetch_failure(self, failure); },
  };
}

} // namespace

provider_actor model_provider(caf::actor_system& system, model_provider_setup setup) {
  return system.spawn(ask_model, std::move(setup));
}

} // namespace gasoline
