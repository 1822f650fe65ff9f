#include "tools/bench/rows/rows.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace gasoline::bench {
namespace {

struct section {
  std::string_view name;
  void (*run)(const bench_plan&, bench_table&);
};

constexpr section sections[] = {
    {"emission", emission_rows},
    {"tools", tool_call_rows},
    {"proof", proof_rows},
    {"startup", startup_rows},
    {"ingest", ingest_rows},
    {"process", process_rows},
    {"run", run_rows},
    {"load", load_rows},
    {"fairness", fairness_rows},
    {"sessions", session_rows},
    {"volume", session_volume_rows},
    {"kept", memory_kept_rows},
    {"caps", caps_rows},
    {"streams", stream_rows},
    {"inside", in_process_rows},
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in{text};
  return {std::istream_iterator<std::string>{in}, {}};
}

int run(int argc, char** argv) {
  CLI::App app{"Measures Gasoline against a floor program and, if given, another server."};
  std::string peer;
  std::uint16_t peer_port = 7890;
  std::string relay;
  std::string json_file;
  std::string only;
  bench_plan plan;
  app.add_option("--peer", peer, "Command of another server that speaks MCP on stdio");
  app.add_option("--peer-port", peer_port, "Port of its HTTP routes");
  app.add_option("--relay", relay, "Command of tools/bench/websocket_relay.mjs");
  app.add_option("--json", json_file, "Also write the table as JSON");
  app.add_option("--only", only,
                 "emission, tools, proof, startup, ingest, process, run, load, fairness, sessions, "
                 "volume, kept, caps, "
                 "streams or inside");
  app.add_flag("--quick", plan.quick, "Fewer samples");
  CLI11_PARSE(app, argc, argv);
  plan.binary_dir = std::filesystem::canonical("/proc/self/exe").parent_path();
  if (!peer.empty())
    plan.peer = server_command{words_of(peer), peer_port};
  plan.relay = words_of(relay);
  bench_table table;
  for (const auto& s : sections)
    if (only.empty() || only == s.name)
      s.run(plan, table);
  if (!json_file.empty())
    std::ofstream{json_file} << table.to_json().dump(2) << '\n';
  return 0;
}

} // namespace
} // namespace gasoline::bench

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return gasoline::bench::run(argc, argv);
}
