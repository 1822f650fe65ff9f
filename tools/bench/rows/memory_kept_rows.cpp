#include "tools/bench/peers/live_session.hpp"
#include "tools/bench/peers/mcp_http_client.hpp"
#include "tools/bench/peers/process_status.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>

#include <filesystem>
#include <functional>
#include <string>

namespace gasoline::bench {
namespace {

using nlohmann::json;

/// A session that the engine's own script answers; `steps` are what each model call says.
json scripted(const json& calls, const json& tools = json::array()) {
  return {{"workspace_path", std::filesystem::temp_directory_path().string()},
          {"provider", "scripted"},
          {"tools", tools},
          {"script", {{"calls", calls}}}};
}

/// One turn of a session of its own, which is deleted afterwards.
void one_turn(std::uint16_t port, const json& request) {
  live_session session{port, request};
  session.post("turns", {{"content", "go"}});
  session.await_idle();
  session.remove();
}

/// A call that waits for alerts, which its client gives up.
void one_wait(mcp_http_client& client, std::uint16_t port) {
  constexpr int waiting_id = 2;
  http_client waiting{port};
  waiting.send(client.tool_call("observe", {{"what", "alerts"}, {"wait_seconds", 50}}, waiting_id));
  client.call("configure", {{"action", "health"}}); // the call has come by then
  client.cancel(waiting_id);
  waiting.reset_at_end();
}

/// What each of them leaves in the engine's memory once the first ones are over, in bytes.
void kept_row(const std::string& what, pid_t pid, int rounds, double most_bytes,
              const std::function<void()>& once, bench_table& table) {
  for (int i = 0; i < rounds / 2; ++i)
    once();
  ::poll(nullptr, 0, 500);
  const auto before = resident_mib(pid);
  for (int i = 0; i < rounds; ++i)
    once();
  ::poll(nullptr, 0, 500);
  constexpr double bytes_per_mib = 1024.0 * 1024.0;
  table.add({"memory kept after " + what,
             (resident_mib(pid) - before) * bytes_per_mib / rounds,
             "B",
             {},
             {},
             at_most(most_bytes)});
}

} // namespace

void memory_kept_rows(const bench_plan& plan, bench_table& table) {
  raise_descriptor_limit();
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto pid = engine.process().pid();
  const auto port = engine.port();
  const int rounds = plan.quick ? 400 : 4'000;
  const auto said = json{{"steps", {{{"text", "Done."}}}}};
  const auto used =
      json{{"steps", {{{"tool_use", {{"name", "observe"}, {"input", {{"what", "errors"}}}}}}}}};
  const auto turn = scripted({said});
  kept_row(
      "a turn and its session", pid, rounds, 1'000, [&] { one_turn(port, turn); }, table);
  const auto tools = scripted({used, said}, {"observe"});
  kept_row(
      "a turn that calls a tool", pid, rounds / 2, 1'500, [&] { one_turn(port, tools); }, table);
  mcp_http_client client{port};
  const auto call = client.tool_call("observe", {{"what", "errors"}});
  kept_row(
      "a tool call", pid, rounds, 100, [&] { client.http().exchange(call); }, table);
  kept_row(
      "a waiting call that is given up", pid, rounds / 4, 1'000, [&] { one_wait(client, port); },
      table);
}

} // namespace gasoline::bench
