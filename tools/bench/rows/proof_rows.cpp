#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/rows/rows.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace gasoline::bench {
namespace {

using nlohmann::json;

constexpr double longest_us = 20'000;
constexpr double longest_wait_us = 2'000;

/// Some pages, opened again and again, so that there is something to compare.
std::string page_of(std::size_t i) {
  return "http://localhost:3000/page" + std::to_string(i % 12);
}

json entry(std::size_t i) {
  return {{"url", page_of(i)}, {"page_id", "d" + std::to_string(i / 100 % 60)}};
}

json error_entry(std::size_t i) {
  auto out = entry(i);
  const auto n = std::to_string(i % 300);
  out["level"] = "error";
  out["type"] = i % 2 == 0 ? "exception" : "console";
  out["message"] = "Uncaught TypeError: value" + n + " is not a function";
  out["stack"] = "at f" + n + " (http://localhost:3000/src/a.js:" + n + ":7)";
  return out;
}

json body_entry(std::size_t i) {
  auto out = entry(i);
  out["page"] = page_of(i);
  out["url"] = "http://localhost:3000/api/things/" + std::to_string(i % 400);
  out["method"] = i % 3 == 0 ? "POST" : "GET";
  out["status"] = i % 17 == 0 ? 500 : 200;
  out["duration"] = i % 90;
  out["response_body"] =
      json{{"id", i}, {"name", "n"}, {"text", std::string(i % 2 == 0 ? 7'000 : 300, 'b')}}.dump();
  return out;
}

json timing_entry(std::size_t i) {
  auto out = entry(i);
  out["page"] = page_of(i);
  out["url"] = "http://localhost:3000/static/chunk" + std::to_string(i % 700) + ".js";
  out["initiator_type"] = "script";
  out["duration_ms"] = i % 90;
  return out;
}

json action_entry(std::size_t i) {
  auto out = entry(i);
  out["type"] = "click";
  out["selectors"] = {{"css", "button.x"}, {"text", "Pay " + std::to_string(i % 30)}};
  return out;
}

json load_entry(std::size_t i) {
  auto out = entry(i);
  out["id"] = "l" + std::to_string(i);
  out["timing"] = {{"largest_contentful_paint", 900 + i % 400}, {"time_to_first_byte", 80}};
  return out;
}

void post_all(http_client& http, const std::string& route, const char* list, std::size_t count,
              const std::function<json(std::size_t)>& make) {
  for (std::size_t i = 0; i < count; i += entries_per_post) {
    json entries = json::array();
    for (std::size_t k = 0; k < entries_per_post; ++k)
      entries.push_back(make(i + k));
    http.exchange(post_request(route, json{{list, std::move(entries)}}.dump()));
  }
}

/// All that analyses look through, at its caps.
void fill_all(std::uint16_t port) {
  fill_buffers(port);
  http_client http{port};
  post_all(http, "/logs", "entries", 5'000, error_entry);
  post_all(http, "/network-bodies", "bodies", 2'000, body_entry);
  post_all(http, "/network-waterfall", "entries", 10'000, timing_entry);
  post_all(http, "/enhanced-actions", "actions", 5'000, action_entry);
  post_all(http, "/performance-snapshots", "snapshots", 1'000, load_entry);
}

/// What an HTTP client waits for `/health` while it is asked without pause.
class bystander {
 public:
  explicit bystander(std::uint16_t port)
      : thread_([this, port](const std::stop_token& end) {
          http_client http{port};
          const auto request = get_request("/health");
          while (!end.stop_requested() && http.connected())
            waits_.add(timed([&] { http.exchange(request); }));
        }) {}

  latency_series leave() {
    thread_.request_stop();
    thread_.join();
    return waits_;
  }

 private:
  latency_series waits_;
  std::jthread thread_;
};

json arguments_of(std::string_view what) {
  json out{{"what", what}, {"max_bytes", 60'000}};
  if (what == "diff" || what == "pr_summary")
    out["since"] = "middle";
  if (what == "fixture" || what == "types")
    out["url"] = "/api/things";
  return out;
}

void add_rows(mcp_server& engine, const std::string& tool, std::string_view what, int calls,
              double alone, bench_table& table) {
  const auto line = engine.call_line(tool, arguments_of(what));
  latency_series took;
  bystander other{engine.port()};
  for (int i = 0; i < calls; ++i)
    took.add(timed([&] { engine.exchange(line); }));
  const auto waited = other.leave();
  const auto name = tool + ' ' + std::string{what};
  table.add({name + ", full buffers, p99", took.p99(), "us", {}, "", at_most(longest_us)});
  table.add({"another client beside " + name + ", p99", waited.p99(), "us", alone, "us alone",
             at_most(longest_wait_us)});
}

} // namespace

void proof_rows(const bench_plan& plan, bench_table& table) {
  const int calls = plan.quick ? 10 : 100;
  mcp_server engine{own_engine(plan.binary_dir)};
  fill_all(engine.port());
  engine.call("configure", {{"action", "mark"}, {"name", "middle"}});
  http_client http{engine.port()};
  post_all(http, "/network-bodies", "bodies", 500, body_entry);
  post_all(http, "/logs", "entries", 500, error_entry);
  bystander quiet{engine.port()};
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  const auto alone = quiet.leave().p99();
  for (const auto* what : {"diff", "errors", "timeline", "api", "performance", "security", "flaky"})
    add_rows(engine, "analyze", what, calls, alone, table);
  for (const auto* what : {"reproduction", "test", "bug_report", "pr_summary", "har", "sarif",
                           "csp", "fixture", "types"})
    add_rows(engine, "generate", what, calls, alone, table);
}

} // namespace gasoline::bench
