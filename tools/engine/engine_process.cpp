#include "tools/engine/engine_process.hpp"

#include "actors/engine.hpp"
#include "actors/engine_composition.hpp"
#include "actors/mcp/link/line_writer.hpp"
#include "actors/telemetry/recorder.hpp"
#include "config/state_location.hpp"
#include "messages/base/own_log.hpp"
#include "tools/engine/access_token.hpp"
#include "tools/engine/apart_worker.hpp"
#include "tools/engine/engine_doors.hpp"
#include "tools/engine/engine_sessions.hpp"
#include "tools/engine/http_health.hpp"
#include "tools/engine/known_secrets.hpp"
#include "tools/engine/process/descriptor_limit.hpp"
#include "tools/engine/process/event_loop.hpp"
#include "tools/engine/process/logging.hpp"
#include "tools/engine/process/quiet_memory.hpp"
#include "tools/engine/process/service_manager.hpp"
#include "tools/engine/program_locator.hpp"
#include "tools/engine/state_directory.hpp"
#include "tools/page_script/accessibility_rules.hpp"
#include "tools/page_script/page_script.hpp"
#include "transport/attach/agent_process.hpp"
#include "transport/cdp/browser_attacher.hpp"
#include "transport/cdp/browser_launcher.hpp"
#include "transport/http/client/http_client.hpp"
#include "transport/loop_scheduler.hpp"
#include "transport/nats/nats_streams.hpp"
#include "transport/stdio_port.hpp"

#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

namespace gasoline {
namespace {

/// When the engine was told to end and still has not, the process ends anyway.
constexpr long last_resort_ms = 1'500;

/// A dead engine's port is free once the kernel has closed all that it held.
constexpr int takeover_attempts = 10;
constexpr std::chrono::milliseconds takeover_rest{50};

wall_time system_time(mono_time) {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

recorder_actor spawn_recorder(caf::actor_system& system, const settings& config) {
  if (config.record_file.empty())
    return {};
  return system.spawn<caf::detached>(recorder, config.record_file, system_time({}));
}

/// Says where the engine listens, or why it does not; stdio works either way.
void announce(const result_or<std::uint16_t>& port, const settings& config, const engine_run& run,
              const engine_actor& target) {
  if (!port) {
    own_log::warn("no HTTP: {}", port.error().message);
    caf::anon_send(target, listen_atom_v, std::uint16_t{0}, port.error().message);
    return;
  }
  own_log::info("listening on http://{}:{}", config.host, *port);
  caf::anon_send(target, listen_atom_v, *port, std::string{});
  if (run.lock && !write_port_file(config.state_dir, *port))
    own_log::warn("the port file in {} cannot be written", config.state_dir.string());
  if (run.mode == engine_mode::serve)
    notify_service_manager("READY=1");
}

result_or<std::uint16_t> listen(event_loop& loop, engine_doors& front, engine_run& run,
                                const result_or<std::string>& token, const settings& config) {
  if (!token && config.require_token)
    return tl::unexpected(token.error());
  if (run.http_socket)
    return loop.run([&] { return front.listen_on(std::move(run.http_socket)); });
  auto port = loop.run([&] { return front.listen(); });
  for (int i = 0; i < takeover_attempts && !port && run.mode == engine_mode::takeover; ++i) {
    std::this_thread::sleep_for(takeover_rest);
    port = loop.run([&] { return front.listen(); });
  }
  return port;
}

/// The token is made at the first start, whether it is asked for or not.
result_or<std::string> token_of(const settings& config, const engine_run& run) {
  if (!run.lock && config.token_file.empty() && !config.require_token)
    return std::string{};
  auto token = load_token(config);
  if (!token)
    own_log::warn("{}", token.error().message);
  return token;
}

/// Only what a signal handler may do.
template <int Code>
void end_at_last_resort(int) {
  constexpr std::string_view words = "gasoline: the orderly end took too long and was cut short.\n";
  // Nothing is left to be done about a pipe that takes no more.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(Code);
}

/// How the process ends if it has to be cut short. A service manager has to see that what was under
/// way may be lost; an editor that has left waits for nothing.
enum class last_resort { failure, success };

last_resort last_resort_of(engine_mode mode) {
  return mode == engine_mode::serve ? last_resort::failure : last_resort::success;
}

/// Ends the process when an orderly end takes too long, unread pipes or not. The time of the first
/// call counts, and the code of the last.
void arm_last_resort(last_resort how) {
  std::signal(SIGALRM, how == last_resort::failure ? end_at_last_resort<1> : end_at_last_resort<0>);
  itimerval armed{};
  if (::getitimer(ITIMER_REAL, &armed) == 0 &&
      (armed.it_value.tv_sec != 0 || armed.it_value.tv_usec != 0))
    return;
  itimerval due{};
  due.it_value.tv_sec = last_resort_ms / 1000;
  due.it_value.tv_usec = last_resort_ms % 1000 * 1000;
  ::setitimer(ITIMER_REAL, &due, nullptr);
}

template <class R, class Handle, class... Ts>
R ask(caf::scoped_actor& self, const Handle& target, Ts... message) {
  std::optional<R> out;
  self->request(target, caf::infinite, std::move(message)...)
      .receive([&](R& result) { out = std::move(result); },
               [&](const caf::error&) { own_log::critical("the engine did not start"); });
  return out ? std::move(*out) : R{};
}

/// Where logs and port file go; nowhere when another engine has the directory.
std::filesystem::path log_directory(const settings& config, const engine_run& run) {
  return run.lock ? config.state_dir : std::filesystem::path{};
}

/// Threads that decode large bodies, and as many that redact them: half of the cores each, since
/// the thread of the sockets wants one too.
std::size_t body_workers() {
  constexpr unsigned most = 4;
  return std::clamp(std::thread::hardware_concurrency() / 2, 1U, most);
}

engine_options options_of(event_loop& loop, caf::actor_system& system, const settings& config,
                          engine_mode mode, const std::string& token) {
  auto of_hooks = read_hook_secrets(config);
  auto of_pages = read_page_secrets(config.browser);
  auto out = compose_engine(config, system_time, known_secrets(config, token, of_hooks, of_pages));
  out.secrets = std::move(of_hooks);
  out.secrets_of_pages = std::move(of_pages);
  out.recorder = spawn_recorder(system, config);
  out.fetcher = std::make_shared<http_client>(loop.io(), config.limit);
  out.has_disk = true;
  out.body_workers = body_workers();
  if (config.browser.start == browser_start::attach)
    out.browsers = std::make_shared<browser_attacher>(loop.io(), config);
  else
    out.browsers = std::make_shared<browser_launcher>(loop.io(), config);
  out.page_watch = page_watch();
  out.accessibility_rules = accessibility_rules();
  out.locator = system.spawn(program_locator, spawned_alone{});
  out.home = lookup(process_environment(), "HOME");
  if (config.streams_on_nats)
    out.streams = spawn_nats_streams(system, config);
  out.ends_with_clients = mode != engine_mode::serve;
  return out;
}

/// Where the editor is that has started this process.
agent_place editor_place(const settings& config) {
  std::error_code ec;
  auto out = place_of(::getpid(), std::filesystem::current_path(ec).string());
  out.channel = config.channel;
  return out;
}

std::shared_ptr<stdio_port> attach_stdio(caf::actor_system& system, caf::scoped_actor& self,
                                         const local_engine_actor& target, const settings& config) {
  auto stdio = std::make_shared<stdio_port>(STDIN_FILENO, STDOUT_FILENO, config.limit);
  const auto writer = system.spawn(line_writer, std::shared_ptr<output_port>{stdio}, config.limit);
  const auto session =
      ask<client_actor>(self, target, attach_atom_v, caf::actor_cast<message_writer>(writer),
                        client_origin{client_transport::stdio}, editor_place(config));
  stdio->start(session, writer);
  return stdio;
}

session_front front_of(caf::actor_system& system, const engine_sessions& sessions,
                       std::string token, const limits& limit) {
  return {&system, sessions.registry, sessions.problem, std::move(token), limit};
}

/// Keys and other secrets are in this process, so no other process of the user may look into it,
/// the commands of its sessions least of all.
void close_to_others() {
  ::prctl(PR_SET_DUMPABLE, 0);
}

int run_actors(const settings& config, engine_run& run) {
  close_to_others();
  event_loop loop;
  caf::actor_system_config system_config;
  loop_scheduler::install(system_config, loop.io());
  caf::actor_system system{system_config};
  std::optional<caf::scoped_actor> self{std::in_place, system, true};

  const auto http = std::make_shared<http_report>();
  const auto token = token_of(config, run);
  auto options = options_of(loop, system, config, run.mode, token.value_or(""));
  options.http = system.spawn(http_health, http);
  const auto http_handle = options.http;
  const auto recorder_handle = options.recorder;
  const auto sessions = run.lock ? spawn_sessions(loop.io(), system, config, options.redaction,
                                                  options.offers, options.clock)
                                 : no_sessions();
  options.sessions = sessions.registry;
  const auto streams_handle = options.streams;
  const auto offers = options.offers;
  options.on_failure = [] { arm_last_resort(last_resort::failure); };
  const auto target = system.spawn(engine, std::move(options));
  (*self)->monitor(target);
  if (sessions.links)
    loop.run([&] { *sessions.links = {sessions.registry, target}; });

  std::shared_ptr<stdio_port> stdio;
  if (run.mode == engine_mode::stdio)
    stdio = attach_stdio(system, *self, target, config);

  engine_doors front{loop.io(),
                     system,
                     config,
                     *offers,
                     target,
                     ask<ingest_actor>(*self, target, query_atom_v),
                     ask<stream_registry_actor>(*self, target, stream_atom_v),
                     front_of(system, sessions, token.value_or(""), config.limit),
                     config.require_token ? token.value_or("") : std::string{}};
  apart_worker apart{system, loop.io()};
  loop.run([&] {
    http->read = [&front] { return front.report(); };
    front.inflate_with([&apart](std::function<void()> work, std::function<void()> then) {
      apart.run(std::move(work), std::move(then));
    });
  });
  front.on_told_to_end([target, how = last_resort_of(run.mode)] {
    arm_last_resort(how);
    caf::anon_send_exit(target, caf::exit_reason::user_shutdown);
  });
  if (run.lock)
    if (const auto problem = loop.run([&] { return front.take_clients(); }))
      own_log::warn("{}", problem->message);
  const auto port = listen(loop, front, run, token, config);
  announce(port, config, run, target);
  const bool useless = !port && run.mode == engine_mode::serve;
  if (useless)
    caf::anon_send_exit(target, caf::exit_reason::user_shutdown);

  bool failed = false;
  (*self)->receive([&](const caf::down_msg& down) { failed = static_cast<bool>(down.reason); });
  self.reset(); // it would count as one of the actors that are waited for
  arm_last_resort(failed ? last_resort::failure : last_resort_of(run.mode));
  caf::anon_send_exit(http_handle, caf::exit_reason::user_shutdown);
  if (recorder_handle)
    caf::anon_send_exit(recorder_handle, caf::exit_reason::user_shutdown);
  if (streams_handle)
    caf::anon_send_exit(streams_handle, caf::exit_reason::user_shutdown);
  loop.run([&] { apart.end(); });
  system.await_all_actors_done();
  if (stdio)
    stdio->stop();
  loop.run([&] { front.stop(); });
  loop.stop();
  if (port && run.lock)
    remove_port_file(config.state_dir, *port);
  return useless || failed ? 1 : 0;
}

} // namespace

int run_engine(settings config, engine_run run) {
  keep_memory_quiet();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of a write
  start_logging(config.log_level, log_directory(config, run));
  raise_descriptor_limit();
  if (!run.alone_because.empty())
    own_log::warn("{}", run.alone_because);
  const auto usual_socket =
      run.lock ? std::exchange(config.attach_socket, run.lock->socket()) : config.attach_socket;
  const int code = run_actors(config, run);
  if (config.attach_socket != usual_socket)
    ::rmdir(config.attach_socket.parent_path().c_str()); // made for this engine alone
  stop_logging();
  return code;
}

} // namespace gasoline
