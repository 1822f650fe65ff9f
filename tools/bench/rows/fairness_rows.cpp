#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/rows/rows.hpp"

#include <zlib.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace gasoline::bench {
namespace {

constexpr std::size_t posters = 4;
constexpr std::chrono::milliseconds pause{2}; // between two pings

/// Entries in which nearly every word is looked at: credentials of several shapes.
std::string heavy_body(std::size_t bytes) {
  std::string body{R"({"entries":[)"};
  for (std::size_t n = 0; body.size() < bytes; ++n) {
    const auto number = std::to_string(1'000'000 + n);
    std::string text;
    for (int i = 0; i < 3; ++i)
      text += "user" + number + " with password=hunter" + number + " token: ghp_" +
              std::string(29, 'a') + number + " at https://u:p" + number +
              "@db.example.com/x?api_key=" + std::string(25, 'b') + number + ' ';
    body += std::string{n ? "," : ""} + R"({"level":"info","type":"console","message":")" + text +
            R"(","url":"http://localhost:3000/a","data":{"secret":"x)" + number + "\"}}";
  }
  return body + "]}";
}

std::string plain_post(std::size_t bytes) {
  return post_request("/logs", heavy_body(bytes));
}

/// The same compressed, as SDKs send large bodies.
std::string gzip_post(std::size_t bytes) {
  const auto body = heavy_body(bytes);
  std::string packed(compressBound(body.size()) + 32, '\0');
  constexpr int gzip_window = MAX_WBITS + 16;
  constexpr int usual_memory = 8;
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, usual_memory,
               Z_DEFAULT_STRATEGY);
  auto copy = body;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return post_request("/logs", packed, "application/json\r\nContent-Encoding: gzip");
}

/// Posts without pause until it is gone.
std::jthread poster(std::uint16_t port, const std::string& request) {
  return std::jthread{[port, &request](const std::stop_token& end) {
    http_client http{port};
    while (!end.stop_requested() && http.connected())
      http.exchange(request);
  }};
}

/// A request with a body of so many bytes.
struct load_shape {
  std::string name;
  std::string (*make)(std::size_t bytes);
};

void add_rows(const bench_plan& plan, std::size_t megabytes, const load_shape& shape,
              bench_table& table) {
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto alone = ping_latency(engine, 100, pause);
  const auto request = shape.make(megabytes << 20U);
  std::vector<std::jthread> load;
  for (std::size_t i = 0; i < posters; ++i)
    load.push_back(poster(engine.port(), request));
  const auto beside = ping_latency(engine, plan.quick ? 500 : 3000, pause);
  const auto name = "ping beside 4 connections that post " + std::to_string(megabytes) +
                    " MB of credentials" + shape.name;
  table.add({name + ", p50", beside.p50(), "us", alone.p50(), "us alone"});
  table.add({name + ", p99", beside.p99(), "us", alone.p99(), "us alone", at_most(2000.0)});
}

} // namespace

void fairness_rows(const bench_plan& plan, bench_table& table) {
  for (const auto& shape : {load_shape{"", plain_post}, load_shape{", gzip", gzip_post}}) {
    add_rows(plan, 1, shape, table);
    add_rows(plan, 8, shape, table);
  }
}

} // namespace gasoline::bench
