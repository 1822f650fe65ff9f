#include "actors/agents/tools/shell_run.hpp"

#include "actors/agents/tools/shell_output.hpp"
#include "actors/agents/tools/tool_input.hpp"
#include "actors/agents/tools/workspace.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/base/spawned_alone.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// How a command has ended and what it said.
struct shell_end {
  std::string text; ///< redacted
  bool truncated = false;
  bool failed = false;
};

} // namespace
} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::shell_end)

namespace gasoline {
namespace {

using shell_run_actor = tool_run_actor::extend<
    // From the reader: the command has ended.
    caf::reacts_to<finished_atom, shell_end>>;

using shell_run_pointer = shell_run_actor::stateful_pointer<shell_run_state>;

/// What is waited for by a thread of its own.
struct shell_reading {
  pid_t pid = 0;
  file_descriptor output;
  std::shared_ptr<const redaction_engine> redaction;
  std::size_t most_bytes = 0;
};

/// Takes what is in the pipe now, at most once around; false when nobody can write any more.
bool take_output(int fd, shell_output& into) {
  std::array<char, 16384> buffer{};
  const auto n = ::read(fd, buffer.data(), buffer.size());
  if (n > 0)
    into.add({buffer.data(), static_cast<std::size_t>(n)});
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/// Takes what the command had written before it ended; what others go on writing does not hold this
/// up.
void drain(int fd, shell_output& into, std::size_t most_bytes) {
  std::array<char, 16384> buffer{};
  for (std::size_t taken = 0; taken <= most_bytes;) {
    const auto n = ::read(fd, buffer.data(), buffer.size());
    if (n <= 0)
      return;
    taken += static_cast<std::size_t>(n);
    into.add({buffer.data(), static_cast<std::size_t>(n)});
  }
}

/// Reads until the process has ended.
void read_until_end(const shell_reading& reading, shell_output& into) {
  // The header of glibc 2.36 declares no C function for C++.
  const file_descriptor process{static_cast<int>(::syscall(SYS_pidfd_open, reading.pid, 0))};
  std::array<pollfd, 2> watched{{{process.get(), POLLIN, 0}, {reading.output.get(), POLLIN, 0}}};
  while (::poll(watched.data(), watched.size(), -1) >= 0 || errno == EINTR) {
    if (watched[1].revents != 0 && !take_output(reading.output.get(), into))
      watched[1].fd = -1;
    const bool nothing_to_watch = !process && watched[1].fd < 0; // a kernel without pidfds
    if (watched[0].revents != 0 || nothing_to_watch)
      break;
  }
  if (watched[1].fd >= 0)
    drain(reading.output.get(), into, reading.most_bytes);
}

shell_end follow(const shell_reading& reading) {
  shell_output output{reading.most_bytes};
  read_until_end(reading, output);
  const auto how = wait_for_end(reading.pid);
  auto text = output.text();
  if (!how.empty())
    text += (text.empty() || text.ends_with('\n') ? "[" : "\n[") + how + "]";
  else if (text.empty())
    text = "(no output)";
  return {reading.redaction->text(text).str(), output.truncated(), !how.empty()};
}

void start_reader(shell_run_pointer self, shell_reading reading) {
  const auto shared = std::make_shared<const shell_reading>(std::move(reading));
  self->spawn<caf::detached>(
      [shared, owner = shell_run_actor{self}](caf::event_based_actor* reader, spawned_alone) {
        guard_exceptions(reader);
        caf::anon_send(owner, finished_atom_v, follow(*shared));
      },
      spawned_alone{});
}

void tell(shell_run_pointer self, tool_outcome outcome) {
  auto& setup = *self->state.setup;
  outcome.tool_use_id = setup.request->tool_use_id;
  self->send(setup.turn, outcome_atom_v, std::move(outcome));
  self->quit();
}

void kill_now(shell_run_pointer self) {
  if (self->state.pid != 0)
    kill_tree(self->state.pid);
}

void end_command(shell_run_pointer self, std::string reason) {
  auto& state = self->state;
  if (state.pid == 0 || !state.ending_as.empty())
    return;
  state.ending_as = std::move(reason);
  ask_to_end(state.pid);
  state.timers.start(self, milliseconds{state.setup->limit.session.tool_kill_ms},
                     [self] { kill_now(self); });
}

void take_end(shell_run_pointer self, shell_end& end) {
  auto& state = self->state;
  reap(std::exchange(state.pid, 0));
  state.lifeline = file_descriptor{};
  tool_outcome outcome;
  outcome.text = std::move(end.text);
  outcome.truncated = end.truncated;
  outcome.is_error = end.failed;
  outcome.error_class = state.ending_as;
  if (state.ending_as == "timeout")
    outcome.text += "\n[The command took too long and was ended; timeout_ms can be up to " +
                    std::to_string(state.setup->limit.session.tool_ms) + ".]";
  tell(self, std::move(outcome));
}

void start(shell_run_pointer self) {
  auto& state = self->state;
  const auto& setup = *state.setup;
  tool_input input{setup.request->input, {"command", "timeout_ms"}};
  const auto command = input.text("command");
  const auto timeout =
      input.count("timeout_ms", setup.limit.session.tool_ms, setup.limit.session.tool_ms);
  if (!input.fault().empty())
    return tell(self, invalid_input(input.fault()));
  if (command.find('\0') != std::string::npos)
    return tell(self, invalid_input("A command cannot hold a NUL character."));
  if (const auto workspace = open_workspace(setup.request->workspace_path); !workspace)
    return tell(self, outcome_of(workspace.error()));
  auto process = start_shell(command, setup.request->workspace_path);
  if (!process)
    return tell(self, outcome_of({"denied", std::move(process.error().message)}));
  state.pid = process->pid;
  state.lifeline = std::move(process->lifeline);
  start_reader(self, {process->pid, std::move(process->output), setup.redaction,
                      setup.limit.session.tool_output_bytes});
  state.timers.start(self, milliseconds{timeout}, [self] { end_command(self, "timeout"); });
}

shell_run_actor::behavior_type run_shell(shell_run_pointer self, shell_setup setup) {
  guard_exceptions(self);
  self->state.setup = std::move(setup);
  self->monitor(self->state.setup->turn);
  self->set_down_handler([self](const caf::down_msg&) { kill_now(self); });
  self->set_exit_handler([self](const caf::exit_msg&) { kill_now(self); });
  start(self);
  return {
      [self](cancel_atom) { end_command(self, "cancelled"); },
      [self](finished_atom, shell_end& end) { take_end(self, end); },
  };
}

} // namespace

tool_run_actor shell_run(caf::actor_system& system, shell_setup setup) {
  return system.spawn(run_shell, std::move(setup));
}

model_tool shell_tool(const limits_of<session_room>& limit) {
  return {"shell",
          "Runs a command with /bin/sh in the workspace and answers what it prints. Nothing is on "
          "its input. Processes that it leaves in the background are ended with it.",
          {{"type", "object"},
           {"required", json::array({"command"})},
           {"properties",
            {{"command", {{"type", "string"}}},
             {"timeout_ms",
              {{"type", "integer"}, {"minimum", 1}, {"maximum", limit.session.tool_ms}}}}}}};
}

} // namespace gasoline
