#include "tools/bench/peers/stalled_nats.hpp"

#include "tools/bench/peers/http_client.hpp"

#include <poll.h>
#include <signal.h>

#include <cstdint>
#include <system_error>

namespace gasoline::bench {
namespace {

constexpr const char* program = "/usr/sbin/nats-server";
constexpr std::uint16_t port = 24'223;
constexpr int start_ms = 5'000;

} // namespace

stalled_nats::stalled_nats()
    : directory_(std::filesystem::temp_directory_path() / "gasoline-bench-stalled-nats") {
  if (!std::filesystem::exists(program))
    return;
  server_.emplace(std::vector<std::string>{program, "-a", "127.0.0.1", "-p", std::to_string(port),
                                           "-js", "-sd", directory_.string()});
  for (int waited = 0; waited < start_ms && !runs_; waited += 20) {
    ::poll(nullptr, 0, 20);
    runs_ = http_client{port}.connected();
  }
}

stalled_nats::~stalled_nats() {
  if (server_)
    ::kill(server_->pid(), SIGCONT);
  server_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string stalled_nats::url() const {
  return "nats://127.0.0.1:" + std::to_string(port);
}

void stalled_nats::stall() {
  ::kill(server_->pid(), SIGSTOP);
}

} // namespace gasoline::bench
