#pragma once

#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/peers/mcp_server.hpp"
#include "tools/bench/rows/bench_table.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>

namespace gasoline::bench {

/// Entries of one POST in the rows about ingest.
inline constexpr std::size_t entries_per_post = 50;

/// What one run measures.
struct bench_plan {
  std::filesystem::path binary_dir;   ///< holds `gasoline` and `gasoline-floor`
  std::optional<server_command> peer; ///< another server with the same routes
  std::vector<std::string> relay;     ///< command of `websocket_relay.mjs`; empty: none
  bool quick = false;
};

/// POST received -> notification readable, against the floor and the peer.
void emission_rows(const bench_plan& plan, bench_table& table);
/// Tool calls over stdio with full buffers.
void tool_call_rows(const bench_plan& plan, bench_table& table);
/// Each mode of `analyze` and `generate` over full buffers, and what another client waits
/// meanwhile.
void proof_rows(const bench_plan& plan, bench_table& table);
/// exec -> `initialize` answered.
void startup_rows(const bench_plan& plan, bench_table& table);
/// Entries per second and the answer time of the CI webhook.
void ingest_rows(const bench_plan& plan, bench_table& table);
/// Resident memory with full buffers, and what an idle engine does.
void process_rows(const bench_plan& plan, bench_table& table);
/// Commands under `gasoline run`, and `ci watch` between its polls.
void run_rows(const bench_plan& plan, bench_table& table);
/// Tool calls over HTTP beside 1,000 idle and 100 busy streams, and what 10,000 visits leave
/// behind.
void load_rows(const bench_plan& plan, bench_table& table);
/// What a client waits for its answer while others post large bodies without pause.
void fairness_rows(const bench_plan& plan, bench_table& table);
/// Agent sessions: delay, fan-out next to a relay, replay, memory of clients.
void session_rows(const bench_plan& plan, bench_table& table);
/// Agent sessions: big events and many of them, to clients that read.
void session_volume_rows(const bench_plan& plan, bench_table& table);
/// What turns, calls of tools and waiting calls leave in memory once they are over.
void memory_kept_rows(const bench_plan& plan, bench_table& table);
/// Resident memory while what others can make grow is at its caps, all at once, beside the
/// documented sum.
void caps_rows(const bench_plan& plan, bench_table& table);
/// Named streams: fan-out to many readers next to nchan, publishing, quiet topics, stalled readers,
/// matching of filters.
void stream_rows(const bench_plan& plan, bench_table& table);
/// Costs inside the process: per event, per notification, per drain; the state of one client.
void in_process_rows(const bench_plan& plan, bench_table& table);

/// How long so many pings take, one after the other with that pause between them.
latency_series ping_latency(mcp_server& server, int calls, std::chrono::milliseconds pause);

/// Posts until all buffers of a live engine are full.
void fill_buffers(std::uint16_t port);

} // namespace gasoline::bench
