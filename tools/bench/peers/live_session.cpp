#include "tools/bench/peers/live_session.hpp"

#include <poll.h>

#include <utility>

namespace gasoline::bench {

using nlohmann::json;

live_session::live_session(std::uint16_t port, const json& request) : port_(port), http_(port) {
  id_ = call("/sessions", request).value("id", std::string{});
}

json live_session::call(const std::string& route, const json& body) {
  http_.exchange(post_request(route, body.dump()));
  return json::parse(http_.body(), nullptr, false);
}

json live_session::look() {
  http_.exchange(get_request("/sessions/" + id_));
  return json::parse(http_.body(), nullptr, false);
}

json live_session::post(const std::string& name, const json& body) {
  return call(route(name), body);
}

std::unique_ptr<websocket_client> live_session::watch(const json& since) {
  const auto url = look().value("ws_url", std::string{});
  const auto path = url.find('/', std::string{"ws://"}.size());
  auto client = std::make_unique<websocket_client>(
      port_, path == std::string::npos ? std::string{"/"} : url.substr(path));
  client->send(json{{"type", "subscribe"}, {"filter", "preset:chat"}, {"since", since}}.dump());
  return client;
}

/// Listing takes no attach token, of which there are only so many.
bool live_session::await_idle() {
  const auto end = std::chrono::steady_clock::now() + session_patience;
  while (std::chrono::steady_clock::now() < end) {
    http_.exchange(get_request("/sessions"));
    bool busy = false;
    const auto all = json::parse(http_.body(), nullptr, false).value("sessions", json::array());
    for (const auto& session : all)
      busy = busy || (session.value("id", "") == id_ && session.at("current_turn_id").is_string());
    if (!busy)
      return true;
  }
  return false;
}

void live_session::remove() {
  http_.exchange("DELETE /sessions/" + id_ + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
}

void drain_all(clients_list& clients, int timeout_ms,
               const std::function<void(std::size_t client, std::string_view frame)>& take) {
  std::vector<pollfd> waiting;
  waiting.reserve(clients.size());
  for (const auto& c : clients)
    waiting.push_back({c->descriptor(), POLLIN, 0});
  if (::poll(waiting.data(), waiting.size(), timeout_ms) <= 0)
    return;
  for (std::size_t i = 0; i < clients.size(); ++i)
    if (waiting[i].revents != 0)
      clients[i]->drain([&](std::string_view frame) { take(i, frame); });
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t receive_frames(clients_list& clients, std::string_view mark, std::size_t each) {
  std::size_t left = clients.size() * each;
  const auto end = std::chrono::steady_clock::now() + session_patience;
  while (left > 0 && std::chrono::steady_clock::now() < end)
    drain_all(clients, 100, [&](std::size_t, std::string_view frame) {
      if (has(frame, mark) && left > 0)
        --left;
    });
  return clients.size() * each - left;
}

clients_list watchers(live_session& session, std::size_t count) {
  clients_list out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(session.watch());
  receive_frames(out, "subscribe_ack", 1);
  return out;
}

json event_of(std::string_view type, json payload, const std::string& turn) {
  return {{"type", type}, {"turn_id", turn}, {"payload", std::move(payload)}};
}

} // namespace gasoline::bench
