#include "transport/nats/nats_calls.hpp"

#include "messages/base/own_log.hpp"
#include "transport/nats/jetstream_codec.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::string_view api_root = "$JS.API.";

} // namespace

void plan_tick(nats_link self) {
  auto& state = self->state;
  if (state.tick_due || (state.calls.empty() && state.unacknowledged.empty()))
    return;
  state.tick_due = true;
  self->delayed_send(self, milliseconds{state.config.limit.nats.retry_ms} / 2, tick_atom_v);
}

bool send(nats_link self, const nats_message& message) {
  auto& state = self->state;
  return state.connection && !state.connection->publish(message);
}

std::string inbox_of(nats_link self, inbox_kind kind) {
  return self->state.connection->inbox() + '.' + static_cast<char>(kind);
}

std::string inbox_of(nats_link self, inbox_kind kind, std::uint64_t number) {
  return inbox_of(self, kind) + '.' + std::to_string(number);
}

void call_api(nats_link self, std::string_view what, std::string body, api_handler done) {
  auto& state = self->state;
  if (!state.connection) {
    done(tl::unexpected(user_error{state.problem}));
    return;
  }
  const auto number = ++state.last_call;
  nats_message request;
  request.subject = std::string{api_root}.append(what);
  request.reply = inbox_of(self, inbox_kind::answer, number);
  request.data = std::move(body);
  state.calls.emplace(
      number, nats_streams_state::open_call{
                  std::move(done), now_of(self) + milliseconds{state.config.limit.nats.answer_ms}});
  send(self, request);
  plan_tick(self);
}

void tell_engines(nats_link self, const std::string& stream) {
  nats_message changed;
  changed.subject = changed_subject(stream);
  send(self, changed);
}

void send_event(nats_link self, std::uint64_t number, nats_message& message) {
  message.reply = inbox_of(self, inbox_kind::acknowledgement, number);
  if (!self->state.connection)
    return;
  if (const auto problem = self->state.connection->publish(message))
    own_log::debug("nats: an event was not sent: {}", problem->message);
}

void take_answer(nats_link self, std::uint64_t number, const nats_message& message) {
  auto node = self->state.calls.extract(number);
  if (node.empty())
    return;
  if (message.status == no_responders) {
    node.mapped().done(tl::unexpected(
        user_error{"The NATS server at " + shown_servers(self->state.config.nats) +
                   " does not answer JetStream requests; start it with JetStream (-js), or give "
                   "this account access to it."}));
    return;
  }
  auto answer = json::parse(message.data, nullptr, false);
  node.mapped().done(answer.is_discarded()
                         ? api_result{tl::unexpected(user_error{"The NATS server sent an answer "
                                                                "that is no JSON."})}
                         : api_result{std::move(answer)});
}

std::string refusal_text(const nats_streams_state& state) {
  if (state.refusal.empty())
    return {};
  return " It says: " + state.refusal + "; the login needs permission for that.";
}

void look_for_overdue(nats_link self) {
  auto& state = self->state;
  state.tick_due = false;
  const auto now = now_of(self);
  std::vector<api_handler> overdue;
  for (auto it = state.calls.begin(); it != state.calls.end();)
    if (it->second.due <= now) {
      overdue.push_back(std::move(it->second.done));
      it = state.calls.erase(it);
    } else {
      ++it;
    }
  for (const auto& done : overdue)
    done(tl::unexpected(user_error{"The NATS server at " + shown_servers(state.config.nats) +
                                   " does not answer." + refusal_text(state)}));
  state.unacknowledged.expire(
      now, "The NATS server at " + shown_servers(state.config.nats) +
               " has not confirmed the event in time; it may have been stored all the same. Look "
               "before you publish it again." +
               refusal_text(state));
  if (state.synced)
    state.unacknowledged.send_again(
        now, milliseconds{state.config.limit.nats.retry_ms},
        [self](std::uint64_t number, nats_message& message) { send_event(self, number, message); });
  plan_tick(self);
}

} // namespace gasoline
