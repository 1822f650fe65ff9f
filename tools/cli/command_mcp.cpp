#include "tools/cli/command_mcp.hpp"

#include "tools/engine/engine_process.hpp"
#include "tools/engine/process/ending_signals.hpp"
#include "tools/engine/process/logging.hpp"
#include "tools/engine/state_directory.hpp"
#include "transport/attach/attach_call.hpp"
#include "transport/attach/attach_pump.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>

namespace gasoline {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;
using call_attempt = tl::expected<attach_call, attach_problem>;

/// Attempts that rest a little longer each time, up to a bound.
class patient_search {
 public:
  explicit patient_search(const limits_of<attach_room>& limit)
      : end_(clock::now() + milliseconds{limit.attach.search_ms}) {}

  /// Rests; false when the time is over.
  bool rest() {
    std::this_thread::sleep_for(rest_);
    rest_ = std::min(rest_ * 2, longest_rest);
    return clock::now() < end_;
  }

 private:
  static constexpr milliseconds longest_rest{50};

  clock::time_point end_;
  milliseconds rest_{2};
};

call_attempt call(const settings& config, const lock_holder& holder) {
  return call_attached_engine(holder.socket.empty() ? config.attach_socket : holder.socket,
                              config.channel ? attach_role::channel : attach_role::client,
                              milliseconds{config.limit.attach.hello_ms});
}

std::string holder_text(const lock_holder& holder) {
  return holder.pid == 0 ? "another process" : "process " + std::to_string(holder.pid);
}

/// The client behind this process, whichever engine serves it.
class pumped_client {
 public:
  explicit pumped_client(const settings& config)
      : config_(config), pump_(STDIN_FILENO, STDOUT_FILENO, config.limit) {}

  int serve(attach_call engine) {
    for (;;) {
      const auto end = pump_.run(engine.socket.get(), engine.rest);
      if (end != pump_end::engine_lost)
        return leave(std::move(engine));
      if (own_engine_has_ended())
        return own_engine_.get();
      engine.socket = {};
      auto next = find_engine();
      if (!next)
        return give_up();
      engine = std::move(*next);
    }
  }

 private:
  /// The last client out ends an engine that runs here.
  int leave(attach_call engine) {
    pump_.flush();
    engine.socket = {};
    return own_engine_.valid() ? own_engine_.get() : 0;
  }

  int give_up() {
    pump_.flush();
    say_on_stderr("no engine could be found or started within " +
                  std::to_string(config_.limit.attach.search_ms) +
                  " ms; `gasoline doctor` tells more. Start this MCP server again.");
    return 1;
  }

  /// It ends its connections a moment before itself.
  bool own_engine_has_ended() {
    return own_engine_.valid() &&
           own_engine_.wait_for(milliseconds{config_.limit.attach.hello_ms}) ==
               std::future_status::ready;
  }

  std::optional<attach_call> find_engine() {
    patient_search search{config_.limit};
    do {
      const auto holder = own_engine_.valid() ? lock_holder{} : take_over_if_free();
      if (auto found = call(config_, holder))
        return std::move(*found);
    } while (search.rest());
    return std::nullopt;
  }

  /// Answers who has been faster, if anyone.
  lock_holder take_over_if_free() {
    auto attempt = try_engine_lock(config_);
    if (auto* lock = std::get_if<engine_lock>(&attempt))
      take_over(std::move(*lock));
    const auto* holder = std::get_if<lock_holder>(&attempt);
    return holder != nullptr ? *holder : lock_holder{};
  }

  void take_over(engine_lock lock) {
    say_on_stderr("the engine has ended; process " + std::to_string(::getpid()) +
                  " goes on in its place. What it had collected is gone.");
    auto config = config_;
    config.port = read_port_file(config.state_dir).value_or(config.port);
    own_engine_ = std::async(std::launch::async,
                             [config = std::move(config), taken = std::move(lock)]() mutable {
                               engine_run run;
                               run.mode = engine_mode::takeover;
                               run.lock = std::move(taken);
                               return run_engine(config, std::move(run));
                             });
  }

  settings config_;
  attach_pump pump_;
  std::future<int> own_engine_; ///< valid once this process has taken over
};

int run_own_engine(const settings& config, engine_lock lock) {
  engine_run run;
  run.lock = std::move(lock);
  return run_engine(config, std::move(run));
}

int run_alone(const settings& config, std::string because) {
  engine_run run;
  run.alone_because = std::move(because);
  return run_engine(config, std::move(run));
}

/// A pump has nothing to put in order; once it has an engine, the engine takes these signals.
int run_pump(const settings& config, attach_call engine) {
  for (const int signal : ending_signals())
    std::signal(signal, [](int) { ::_exit(0); });
  return pumped_client{config}.serve(std::move(engine));
}

} // namespace

int run_mcp(const settings& config) {
  std::signal(SIGPIPE, SIG_IGN);
  if (const auto made = make_state_directory(config.state_dir); !made)
    return run_alone(config, made.error().message);
  patient_search search{config.limit};
  lock_holder holder;
  do {
    auto attempt = try_engine_lock(config);
    if (auto* lock = std::get_if<engine_lock>(&attempt))
      return run_own_engine(config, std::move(*lock));
    if (const auto* problem = std::get_if<user_error>(&attempt))
      return run_alone(config, problem->message);
    holder = std::get<lock_holder>(attempt);
    auto engine = call(config, holder);
    if (engine)
      return run_pump(config, std::move(*engine));
    if (engine.error().kind != attach_failure::absent)
      return run_alone(config, engine.error().sentence + " It is " + holder_text(holder) +
                                   "; this client works alone until that one is continued or "
                                   "ended, and does not see what it has collected.");
  } while (search.rest());
  return run_alone(config, "The engine of " + holder_text(holder) +
                               " takes no clients at its attach socket; this client works alone. "
                               "`gasoline doctor` tells more.");
}

} // namespace gasoline
