#include "tools/cli/command_tail.hpp"

#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/base/sse_parser.hpp"
#include "messages/streams/named_stream.hpp"
#include "tools/terminal/engine_call.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <thread>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds first_rest{250};
constexpr std::chrono::milliseconds longest_rest{5'000};
constexpr std::size_t most_event_bytes = 64U << 20U;

std::string alert_line(const json& e) {
  const auto& data = e.at("data");
  const auto detail = text_member(data, "detail");
  return terminal_text(text_member(e, "timestamp") + ' ' + text_member(e, "topic") + ": " +
                       text_member(data, "title") + (detail.empty() ? "" : " — " + detail));
}

std::string event_line(const json& e) {
  const auto topic = text_member(e, "topic");
  return terminal_text(text_member(e, "timestamp") + ' ' + text_member(e, "event_type") +
                       (topic.empty() ? "" : " [" + topic + "]") + ' ' + dumped(e.at("data")));
}

std::string shown(const sse_received& received, const std::string& stream, tail_format format) {
  const auto e = json::parse(received.data, nullptr, false);
  if (format == tail_format::json || !e.is_object() || !e.contains("data"))
    return terminal_line(received.data);
  return stream == alerts_stream && e.at("data").is_object() ? alert_line(e) : event_line(e);
}

} // namespace

int run_tail(const settings& config, const std::string& stream, const std::string& topic,
             tail_format format) {
  std::signal(SIGPIPE, SIG_IGN);
  sse_parser parser{most_event_bytes};
  engine_request request;
  request.target = "/streams/" + percent_encoded(stream) + "/events?format=full";
  if (!topic.empty())
    request.target += "&topic=" + percent_encoded(topic);
  bool was_connected = false;
  auto rest = first_rest;
  for (;;) {
    request.last_id = parser.last_id();
    parser.restart();
    const auto take = [&](std::string_view piece) {
      rest = first_rest;
      was_connected = true;
      parser.feed(piece, [&](const sse_received& received) {
        std::cout << shown(received, stream, format) << '\n';
      });
      std::cout.flush();
      return std::cout.good();
    };
    const auto response = follow_engine(config, request, take);
    if (!std::cout.good())
      return 0;
    if (response && response->status != 200) {
      std::cerr << "gasoline: " << terminal_text(refusal_sentence(*response)) << '\n';
      return 1;
    }
    if (!response && !was_connected) {
      std::cerr << "gasoline: " << terminal_text(response.error().message) << '\n';
      return 1;
    }
    std::this_thread::sleep_for(rest);
    rest = std::min(rest * 2, longest_rest);
  }
}

} // namespace gasoline
