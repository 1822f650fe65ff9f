#pragma once

namespace gasoline {

/// The first argument with which this program becomes a supervisor; the second is the command.
inline constexpr const char* supervisor_argument = "supervise-command";

/// The descriptor that a supervisor finds open: a pipe whose other end its engine holds.
inline constexpr int supervisor_lifeline = 3;

/// The signal at which it ends everything at once. SIGTERM is passed on to the command's group.
inline constexpr int supervisor_kill_signal = 10; // SIGUSR1

/// Runs `/bin/sh -c` with the command and waits for its end, in a process of its own: whatever the
/// command has started becomes a child of this process at the latest when its parent ends, in
/// whichever session or group it is, and is killed when the command has ended, and when the engine
/// ends, however it does. Answers the exit code of the command; ends by the signal that the command
/// was ended by.
int supervise_command(const char* command);

} // namespace gasoline
