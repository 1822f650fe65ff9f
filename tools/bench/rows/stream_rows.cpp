#include "actors/streams/topics/topic_index.hpp"
#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/nats_peer.hpp"
#include "tools/bench/peers/paired_runs.hpp"
#include "tools/bench/peers/sse_readers.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace gasoline::bench {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::size_t events_per_round = 20;

/// A publisher does not run further ahead of the slowest reader than this.
constexpr std::uint64_t events_ahead = 200;

/// One server that hands events to readers.
struct fan_out {
  std::uint16_t port = 0;
  std::string path; ///< that readers open
  /// Publishes events with these numbers, and waits until they are taken.
  std::function<void(http_client&, std::uint64_t first, std::size_t count)> publish;
};

fan_out own_fan_out(mcp_server& engine, const std::string& stream) {
  engine.call("stream_create", {{"name", stream}, {"stream_type", "sse"}});
  const auto route = "/streams/" + stream + "/events";
  return {engine.port(), route, [route](http_client& http, std::uint64_t first, std::size_t count) {
            std::string body{"["};
            for (std::size_t i = 0; i < count; ++i)
              body += (i ? ",{\"data\":" : "{\"data\":") + stamped_event(first + i) + '}';
            http.exchange(post_request(route, body + ']'));
          }};
}

fan_out nchan_fan_out(std::uint16_t port) {
  return {port, "/read", [](http_client& http, std::uint64_t first, std::size_t count) {
            std::string all;
            for (std::size_t i = 0; i < count; ++i)
              all += post_request("/publish", stamped_event(first + i));
            http.send(all);
            for (std::size_t i = 0; i < count; ++i)
              http.receive();
          }};
}

/// nginx with nchan on a port of its own.
class nchan_server {
 public:
  nchan_server() {
    auto name = (std::filesystem::temp_directory_path() / "gasoline-bench-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    std::ofstream{directory_ / "nginx.conf"} << config();
    process_ = std::make_unique<child_process>(std::vector<std::string>{
        "nginx", "-e", "stderr", "-p", directory_.string(), "-c", "nginx.conf"});
    for (int waited = 0; waited < 2000 && !http_client{port_}.connected(); waited += 20)
      ::poll(nullptr, 0, 20);
  }
  ~nchan_server() {
    process_.reset();
    std::error_code ec;
    std::filesystem::remove_all(directory_, ec);
  }
  nchan_server(const nchan_server&) = delete;
  nchan_server& operator=(const nchan_server&) = delete;

  std::uint16_t port() const { return port_; }
  bool alive() const { return http_client{port_}.connected(); }

  static bool is_installed() { return std::filesystem::exists(module_file); }

 private:
  static constexpr const char* module_file = "/usr/lib/nginx/modules/ngx_nchan_module.so";

  std::string config() const {
    const auto dir = directory_.string();
    return std::string{"load_module "} + module_file + ";\ndaemon off;\nmaster_process off;\npid " +
           dir + "/pid;\nevents { worker_connections 8192; }\nhttp {\naccess_log off;\n" +
           "client_body_temp_path " + dir + "/b;\nproxy_temp_path " + dir +
           "/p;\nfastcgi_temp_path " + dir + "/f;\nuwsgi_temp_path " + dir +
           "/u;\nscgi_temp_path " + dir + "/s;\nkeepalive_requests 1000000000;\n" +
           "server {\nlisten 127.0.0.1:" + std::to_string(port_) +
           ";\nlocation /publish { nchan_publisher; nchan_channel_id c; "
           "nchan_message_buffer_length 1000; }\nlocation /read { nchan_subscriber; "
           "nchan_channel_id c; nchan_subscriber_first_message newest; }\n}\n}\n";
  }

  std::filesystem::path directory_;
  std::uint16_t port_ = 17'893;
  std::unique_ptr<child_process> process_;
};

/// What one server did.
struct fan_out_result {
  double delivered_per_second = 0;
  double p99_us = 0; ///< at 80 % of that
  std::size_t lost = 0;
};

/// Publishes as fast as the slowest reader reads; events delivered per second.
double fan_out_peak(const fan_out& target, sse_readers& readers, std::size_t count, double seconds,
                    std::uint64_t& number) {
  http_client publisher{target.port};
  const auto first = number;
  const auto start = clock::now();
  const auto end =
      start + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
  while (clock::now() < end) {
    target.publish(publisher, number + 1, events_per_round);
    number += events_per_round;
    if (number > events_ahead && !readers.read_until(number - events_ahead))
      break;
  }
  readers.read_until(number);
  const auto taken = std::chrono::duration<double>(clock::now() - start).count();
  return static_cast<double>((number - first) * count) / taken;
}

latency_series fan_out_latency(const fan_out& target, sse_readers& readers,
                               double events_per_second, double seconds, std::uint64_t& number) {
  std::thread publisher{[&target, &number, events_per_second, seconds] {
    http_client http{target.port};
    const auto start = clock::now();
    const auto all = static_cast<std::uint64_t>(events_per_second * seconds);
    for (std::uint64_t sent = 0; sent < all;) {
      const auto due = static_cast<std::uint64_t>(
          events_per_second * std::chrono::duration<double>(clock::now() - start).count());
      if (due <= sent) {
        ::poll(nullptr, 0, 1);
        continue;
      }
      const auto now = std::min<std::uint64_t>(due - sent, events_per_round);
      target.publish(http, number + sent + 1, now);
      sent += now;
    }
    number += all;
  }};
  readers.take_latency();
  readers.read_for(
      std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds + 0.2)));
  publisher.join();
  return readers.take_latency();
}

fan_out_result measure_fan_out(const fan_out& target, std::size_t count, double seconds) {
  sse_readers readers{target.port, target.path, count};
  fan_out_result out;
  std::uint64_t number = 0;
  fan_out_peak(target, readers, count, seconds / 4, number);
  out.delivered_per_second = fan_out_peak(target, readers, count, seconds, number);
  const auto pace = 0.8 * out.delivered_per_second / static_cast<double>(count);
  out.p99_us = fan_out_latency(target, readers, pace, seconds, number).p99();
  out.lost = count - readers.alive();
  return out;
}

/// The same of nginx with nchan, where it is installed and starts.
std::optional<fan_out_result> nchan_result(bool is_installed, std::size_t count, double seconds) {
  if (!is_installed)
    return std::nullopt;
  const nchan_server peer;
  if (!peer.alive())
    return std::nullopt;
  return measure_fan_out(nchan_fan_out(peer.port()), count, seconds);
}

void fan_out_rows(const bench_plan& plan, bench_table& table) {
  const double seconds = 1;
  const bool has_peer = nchan_server::is_installed();
  if (!has_peer)
    table.note("nginx with nchan is not installed; fan-out has no peer");
  for (const std::size_t count : {std::size_t{1}, std::size_t{100}, std::size_t{1000}}) {
    paired_runs delivered;
    paired_runs p99;
    std::size_t lost = 0;
    for (int run = 0; run < (has_peer ? paired_run_count : 1); ++run) {
      mcp_server engine{own_engine(plan.binary_dir)};
      const auto own = measure_fan_out(own_fan_out(engine, "fan"), count, seconds);
      const auto theirs = nchan_result(has_peer, count, seconds);
      lost += own.lost;
      delivered.add(own.delivered_per_second,
                    theirs ? std::optional{theirs->delivered_per_second} : std::nullopt);
      p99.add(own.p99_us, theirs ? std::optional{theirs->p99_us} : std::nullopt);
    }
    const auto readers = std::to_string(count) + (count == 1 ? " reader" : " readers");
    table.add({"1 KB events to " + readers + ", delivered", delivered.own(), "/s",
               delivered.other(), "/s nchan", ratio_at_least(1), delivered.spread()});
    table.add({"1 KB events to " + readers + ", p99 at 80 % of that", p99.own(), "us", p99.other(),
               "us nchan", at_most(50'000.0), p99.spread()});
    if (lost > 0)
      table.note(std::to_string(lost) + " of the readers were closed");
  }
}

void publish_rows(const bench_plan& plan, bench_table& table) {
  mcp_server engine{own_engine(plan.binary_dir)};
  engine.call("stream_create", {{"name", "p"}});
  latency_series series;
  for (int i = 0; i < (plan.quick ? 300 : 3000); ++i) {
    const auto line = engine.call_line(
        "stream_publish", {{"stream_name", "p"},
                           {"data", json::parse(stamped_event(static_cast<std::uint64_t>(i)))}});
    series.add(timed([&] { engine.exchange(line); }));
  }
  table.add({"stream_publish of 1 KB over stdio, p50", series.p50(), "us", {}, "", at_most(200.0)});
}

/// Events a second that one publisher gets acknowledged over HTTP, in lists.
double publish_rate(mcp_server& engine, double seconds) {
  const auto target = own_fan_out(engine, "acknowledged");
  http_client http{target.port};
  std::uint64_t number = 0;
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  const auto taken = timed([&] {
    for (; clock::now() < end; number += events_per_round)
      target.publish(http, number + 1, events_per_round);
  });
  return static_cast<double>(number) / std::chrono::duration<double>(taken).count();
}

void acknowledged_publish_row(const bench_plan& plan, const std::optional<nats_rates>& theirs,
                              bench_table& table) {
  mcp_server engine{own_engine(plan.binary_dir)};
  table.add({"1 KB events that one publisher gets acknowledged",
             publish_rate(engine, plan.quick ? 1 : 4), "/s",
             theirs ? std::optional{theirs->publish_per_second} : std::nullopt, "/s NATS"});
}

/// Takes a stream's busy topic; the latency of a reader of the quiet one.
void quiet_topic_rows(const bench_plan& plan, bench_table& table) {
  const double seconds = plan.quick ? 1 : 4;
  constexpr double busy_rate = 50'000;
  constexpr std::size_t busy_events = 100;
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto own = own_fan_out(engine, "topics");
  sse_readers quiet{own.port, own.path + "?topic=quiet", 1};
  std::uint64_t busy_sent = 0;
  std::thread busy{[&own, &busy_sent, seconds] {
    http_client http{own.port};
    std::string body{"["};
    for (std::size_t i = 0; i < busy_events; ++i)
      body += std::string{i ? "," : ""} + R"({"topic":"busy","data":{"n":1}})";
    const auto request = post_request(own.path, body + ']');
    const auto start = clock::now();
    for (;;) {
      const auto passed = std::chrono::duration<double>(clock::now() - start).count();
      if (passed > seconds)
        return;
      if (static_cast<double>(busy_sent) > passed * busy_rate) {
        ::poll(nullptr, 0, 1);
        continue;
      }
      http.exchange(request);
      busy_sent += busy_events;
    }
  }};
  http_client http{own.port};
  const auto end = clock::now() + std::chrono::duration_cast<clock::duration>(
                                      std::chrono::duration<double>(seconds));
  for (std::uint64_t n = 1; clock::now() < end; ++n) {
    http.exchange(post_request(own.path, R"({"topic":"quiet","data":)" + stamped_event(n) + '}'));
    quiet.read_until(n);
    quiet.read_for(milliseconds{2});
  }
  busy.join();
  table.add({"quiet topic while another takes " +
                 std::to_string(static_cast<int>(static_cast<double>(busy_sent) / seconds)) +
                 " events/s, p99",
             quiet.take_latency().p99(),
             "us",
             {},
             "",
             at_most(5'000.0)});
}

void stalled_reader_rows(const bench_plan& plan, bench_table& table) {
  const double seconds = plan.quick ? 1 : 4;
  constexpr double pace = 2'000;
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto own = own_fan_out(engine, "stalled");
  std::uint64_t number = 0;
  sse_readers readers{own.port, own.path, 20};
  const auto before = fan_out_latency(own, readers, pace, seconds, number).p99();
  http_client stalled{own.port};
  stalled.send(get_request(own.path));
  const auto with = fan_out_latency(own, readers, pace, seconds + 2, number).p99();
  http_client http{own.port};
  http.exchange(get_request("/health"));
  const auto health = json::parse(http.body(), nullptr, false);
  const auto closed =
      health.value(json::json_pointer{"/http/streams_overflowed"}, std::uint64_t{0}) +
      health.value(json::json_pointer{"/http/streams_stalled"}, std::uint64_t{0});
  table.add({"p99 of 20 readers beside one that stalls", with, "us", before, "us without it"});
  table.note(closed > 0 ? "the stalled reader was closed" : "the stalled reader was NOT closed");
}

void wildcard_rows(bench_table& table) {
  std::optional<double> few;
  for (const std::uint64_t filters : {100, 1'000, 10'000}) {
    topic_index index;
    for (std::uint64_t i = 0; i < filters; ++i) {
      const auto n = std::to_string(i);
      const auto text = i % 3 == 0   ? "orders." + n + ".>"
                        : i % 3 == 1 ? "orders." + n + ".*"
                                     : "orders." + n + ".created";
      index.add(*topic_filter::parse(text, limits{}), i + 1);
    }
    constexpr int times = 200'000;
    std::uint64_t found = 0;
    const auto taken = timed([&] {
      for (int i = 0; i < times; ++i)
        index.find(i % 2 == 0 ? "orders.42.created" : "orders.43.created",
                   [&](std::uint64_t key) { found += key; });
    });
    const auto cost = std::chrono::duration<double, std::nano>(taken).count() / times;
    table.add({"matching a topic against " + std::to_string(filters) + " wildcard filters", cost,
               "ns", few, "ns at 100", few ? ratio_at_most(2.0) : bench_target{}});
    few = few.value_or(cost);
  }
}

} // namespace

void stream_rows(const bench_plan& plan, bench_table& table) {
  fan_out_rows(plan, table);
  publish_rows(plan, table);
  const auto nats = measure_nats(plan.quick ? 1 : 4);
  acknowledged_publish_row(plan, nats, table);
  quiet_topic_rows(plan, table);
  stalled_reader_rows(plan, table);
  wildcard_rows(table);
  if (nats)
    table.note("nats-server takes " + std::to_string(std::lround(nats->few_filters_ns)) +
               " ns for a publish beside 100 wildcard subscriptions, " +
               std::to_string(std::lround(nats->many_filters_ns)) + " ns beside 10,000");
}

} // namespace gasoline::bench
