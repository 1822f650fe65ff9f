#include "actors/browser/entries/socket_sampler.hpp"

#include "actors/browser/cdp/cdp_message.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_sockets = 200;
constexpr std::uint32_t sampled_messages = 5; // as many as the page script tells
constexpr std::size_t most_data_bytes = 4'096;
constexpr std::size_t most_socket_address_bytes = 4'096;
constexpr std::size_t most_reasons = 50;
constexpr std::size_t most_reason_bytes = 123; // the protocol allows no more
constexpr double text_frame = 1;

json_object_writer& begin_event(json_object_writer& w, std::string_view type,
                                std::string_view event, std::uint64_t number, std::string_view url,
                                const std::string& now) {
  return w.text("ts", now)
      .text("type", type)
      .text("event", event)
      .text("id", "ws-" + std::to_string(number))
      .text("url", url);
}

/// Where it happened; the address of the page stands apart, since `url` is the socket's.
void add_page(json_object_writer& w, const entry_place& place) {
  w.text("page", place.url).text("page_id", place.document);
  if (!place.tab.empty())
    w.text("tab", place.tab);
  if (!place.frame.empty())
    w.text("frame", place.frame);
}

} // namespace

std::string socket_sampler::created(const simdjson::dom::element& event) {
  if (sockets_.size() < most_sockets)
    sockets_.insert_or_assign(
        std::string{text_at(event, "/requestId")},
        socket{std::string{text_at(event, "/url").substr(0, most_socket_address_bytes)}, ++last_, 0,
               false});
  return {};
}

std::string socket_sampler::message(socket& of, std::string_view type, std::string_view data,
                                    const entry_place& place, const std::string& now) {
  if (++of.messages > sampled_messages)
    return {};
  std::string out;
  json_object_writer w{out};
  begin_event(w, type, "message", of.number, of.url, now).text("direction", "incoming");
  w.text("data", utf8_beginning(data, most_data_bytes));
  w.number("size", data.size());
  add_page(w, place);
  w.close();
  return out;
}

std::string socket_sampler::told(std::string_view method, const simdjson::dom::element& event,
                                 const entry_place& place, const std::string& now) {
  if (method == "Network.webSocketCreated")
    return created(event);
  const auto id = text_at(event, "/requestId");
  if (method == "Network.eventSourceMessageReceived") {
    const auto found = sockets_.find(id);
    return found == sockets_.end()
               ? std::string{}
               : message(found->second, "eventsource", text_at(event, "/data"), place, now);
  }
  if (method == "Network.responseReceived") { // of an EventSource: it is open
    if (text_at(event, "/type") == "EventSource" && sockets_.size() < most_sockets)
      sockets_.insert_or_assign(
          std::string{id},
          socket{std::string{text_at(event, "/response/url").substr(0, most_socket_address_bytes)},
                 ++last_, 0, true});
    return {};
  }
  const auto found = sockets_.find(id);
  if (found == sockets_.end())
    return {};
  auto& socket = found->second;
  if (method == "Network.webSocketFrameReceived") {
    const bool is_text = number_at(event, "/response/opcode") == text_frame;
    return message(socket, "websocket",
                   is_text ? text_at(event, "/response/payloadData") : "[binary]", place, now);
  }
  const bool opens = method == "Network.webSocketHandshakeResponseReceived";
  const bool fails = method == "Network.webSocketFrameError";
  if (!opens && !fails)
    return {};
  if (opens && number_at(event, "/response/status") != 101)
    return {}; // its error comes by itself
  socket.opened = socket.opened || opens;
  std::string out;
  json_object_writer w{out};
  begin_event(w, "websocket", opens ? "open" : "error", socket.number, socket.url, now);
  if (fails)
    w.text("reason", text_at(event, "/errorMessage"));
  if (!socket.opened)
    w.raw("opened", "false");
  add_page(w, place);
  w.close();
  return out;
}

std::string socket_sampler::closed(std::string_view id, const entry_place& place,
                                   const std::string& now) {
  const auto found = sockets_.find(id);
  if (found == sockets_.end())
    return {};
  const auto& socket = found->second;
  const auto end = take_reason(socket.url);
  std::string out;
  json_object_writer w{out};
  begin_event(w, "websocket", "close", socket.number, socket.url, now);
  if (end.code > 0)
    w.number("code", end.code);
  if (!end.reason.empty())
    w.text("reason", end.reason);
  if (end.by_page)
    w.text("cause", "page");
  if (!socket.opened)
    w.raw("opened", "false");
  add_page(w, place);
  w.close();
  sockets_.erase(found);
  return out;
}

void socket_sampler::note_reason(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element told;
  if (parser.parse(simdjson::padded_string{json}).get(told) != simdjson::SUCCESS)
    return;
  if (reasons_.size() >= most_reasons)
    reasons_.erase(reasons_.begin());
  const auto code = number_at(told, "/code");
  reasons_.push_back({std::string{text_at(told, "/url").substr(0, most_socket_address_bytes)},
                      code >= 1'000 && code < 5'000 ? static_cast<int>(code) : 0,
                      std::string{utf8_beginning(text_at(told, "/reason"), most_reason_bytes)},
                      flag_at(told, "/by_page")});
}

socket_sampler::end_reason socket_sampler::take_reason(std::string_view url) {
  const auto found = std::find_if(reasons_.begin(), reasons_.end(),
                                  [&](const end_reason& each) { return each.url == url; });
  if (found == reasons_.end())
    return {};
  auto out = std::move(*found);
  reasons_.erase(found);
  return out;
}

} // namespace gasoline
