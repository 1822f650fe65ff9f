#include "tools/cli/command_serve.hpp"

#include "tools/engine/engine_process.hpp"
#include "tools/engine/process/logging.hpp"
#include "tools/engine/process/service_manager.hpp"
#include "tools/engine/state_directory.hpp"

#include <string>
#include <utility>
#include <variant>

namespace gasoline {
namespace {

int refuse(const std::string& sentence) {
  say_on_stderr(sentence);
  return 1;
}

std::string running_text(const lock_holder& holder, const settings& config) {
  const auto pid = holder.pid == 0 ? std::string{"PID"} : std::to_string(holder.pid);
  return "An engine runs already for " + config.state_dir.string() +
         (holder.pid == 0 ? "" : " (pid " + pid + ")") + "; editors share it. End it with `kill " +
         pid + "`, or choose another directory with --state-dir.";
}

} // namespace

int run_serve(const settings& config) {
  engine_run run;
  run.mode = engine_mode::serve;
  if (const auto made = make_state_directory(config.state_dir); !made) {
    run.alone_because = made.error().message;
  } else {
    auto attempt = try_engine_lock(config);
    if (const auto* holder = std::get_if<lock_holder>(&attempt))
      return refuse(running_text(*holder, config));
    if (const auto* problem = std::get_if<user_error>(&attempt))
      run.alone_because = problem->message;
    else
      run.lock = std::move(std::get<engine_lock>(attempt));
  }
  run.http_socket = take_activated_socket();
  return run_engine(config, std::move(run));
}

} // namespace gasoline
