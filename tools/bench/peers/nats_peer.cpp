#include "tools/bench/peers/nats_peer.hpp"

#if GASOLINE_HAS_NATS

#include "tools/bench/peers/child_process.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/peers/sse_readers.hpp"

#include <nats/nats.h>
#include <poll.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace gasoline::bench {
namespace {

constexpr std::uint16_t nats_port = 24'222;
constexpr const char* nats_program = "/usr/sbin/nats-server";
constexpr int start_ms = 5'000;

struct nats_deleter {
  void operator()(natsConnection* p) const { natsConnection_Destroy(p); }
  void operator()(jsCtx* p) const { jsCtx_Destroy(p); }
  void operator()(natsSubscription* p) const { natsSubscription_Destroy(p); }
};
template <class T>
using owned = std::unique_ptr<T, nats_deleter>;

owned<natsConnection> connect() {
  natsConnection* out = nullptr;
  const auto url = "nats://127.0.0.1:" + std::to_string(nats_port);
  for (int waited = 0; waited < start_ms; waited += 20) {
    if (natsConnection_ConnectTo(&out, url.c_str()) == NATS_OK)
      break;
    ::poll(nullptr, 0, 20);
  }
  return owned<natsConnection>{out};
}

/// Events a second that one publisher gets acknowledged, without waiting for each.
double publish_rate(natsConnection* connection, double seconds) {
  jsOptions options;
  jsOptions_Init(&options);
  options.PublishAsync.MaxPending = 4'096;
  options.PublishAsync.StallWait = start_ms;
  jsCtx* context = nullptr;
  if (natsConnection_JetStream(&context, connection, &options) != NATS_OK)
    return 0;
  const owned<jsCtx> stream{context};
  const char* subject = "bench";
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = "bench";
  config.Subjects = &subject;
  config.SubjectsLen = 1;
  config.Storage = js_MemoryStorage;
  config.MaxMsgs = 1'000;
  if (js_AddStream(nullptr, context, &config, nullptr, nullptr) != NATS_OK)
    return 0;
  const auto event = stamped_event(1);
  std::uint64_t sent = 0;
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  const auto taken = timed([&] {
    for (; clock::now() < end; ++sent)
      js_PublishAsync(context, subject, event.data(), static_cast<int>(event.size()), nullptr);
    js_PublishAsyncComplete(context, nullptr);
  });
  return static_cast<double>(sent) / std::chrono::duration<double>(taken).count();
}

void ignore(natsConnection*, natsSubscription*, natsMsg* message, void*) {
  natsMsg_Destroy(message);
}

/// Nanoseconds of a publish that one of `filters` wildcard subscriptions takes.
double match_cost(natsConnection* publisher, int filters) {
  const auto reader = connect();
  std::vector<owned<natsSubscription>> subscriptions;
  for (int i = 0; i < filters; ++i) {
    natsSubscription* one = nullptr;
    const auto filter = "orders." + std::to_string(i) + ".>";
    if (natsConnection_Subscribe(&one, reader.get(), filter.c_str(), ignore, nullptr) == NATS_OK)
      subscriptions.emplace_back(one);
  }
  natsConnection_Flush(reader.get());
  constexpr int times = 200'000;
  const auto taken = timed([&] {
    for (int i = 0; i < times; ++i) {
      const auto topic = "orders." + std::to_string(i % filters) + ".created";
      natsConnection_Publish(publisher, topic.c_str(), "x", 1);
    }
    natsConnection_Flush(publisher);
  });
  return std::chrono::duration<double, std::nano>(taken).count() / times;
}

} // namespace

std::optional<nats_rates> measure_nats(double seconds) {
  if (!std::filesystem::exists(nats_program))
    return std::nullopt;
  const auto directory = std::filesystem::temp_directory_path() / "gasoline-bench-nats";
  std::optional<nats_rates> out;
  {
    const child_process server{{nats_program, "-a", "127.0.0.1", "-p", std::to_string(nats_port),
                                "-js", "-sd", directory.string()}};
    if (const auto connection = connect())
      out = nats_rates{publish_rate(connection.get(), seconds), match_cost(connection.get(), 100),
                       match_cost(connection.get(), 10'000)};
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  return out;
}

} // namespace gasoline::bench

#else

namespace gasoline::bench {

std::optional<nats_rates> measure_nats(double) {
  return std::nullopt;
}

} // namespace gasoline::bench

#endif
