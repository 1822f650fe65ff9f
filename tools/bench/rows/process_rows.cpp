#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/process_status.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>

#include <filesystem>
#include <string>

namespace gasoline::bench {
namespace {

using nlohmann::json;

constexpr int idle_ms = 4000;

double context_switches(pid_t pid) {
  double total = 0;
  const auto tasks = std::filesystem::path{"/proc"} / std::to_string(pid) / "task";
  std::error_code ec;
  for (const auto& task : std::filesystem::directory_iterator{tasks, ec})
    total += status_number(task.path() / "status", "voluntary_ctxt_switches:");
  return total;
}

} // namespace

void process_rows(const bench_plan& plan, bench_table& table) {
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto pid = engine.process().pid();
  table.add({"resident memory, empty", resident_mib(pid), "MiB"});
  fill_buffers(engine.port());
  http_client http{engine.port()};
  http.exchange(get_request("/health"));
  const auto health = json::parse(http.body(), nullptr, false);
  const auto buffered =
      health.value(json::json_pointer{"/memory/bytes"}, 0.0) / static_cast<double>(1U << 20U);
  table.add({"resident memory beyond the bytes buffered, full", resident_mib(pid) - buffered, "MiB",
             buffered, "MiB buffered", at_most(40.0)});
  ::poll(nullptr, 0, 1000);
  const auto before = context_switches(pid);
  ::poll(nullptr, 0, idle_ms);
  const auto wakes = (context_switches(pid) - before) * 1000 / idle_ms;
  table.add({"wake-ups while idle", wakes, "per s", {}, "", at_most(0.5)});
}

} // namespace gasoline::bench
