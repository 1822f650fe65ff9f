#include "tools/run/command_passage.hpp"

#include "config/state_choice.hpp"
#include "tools/run/command_keeper.hpp"
#include "tools/run/copy_channel.hpp"
#include "tools/run/outlive_job.hpp"
#include "tools/run/passed_stream.hpp"
#include "tools/run/raw_terminal.hpp"
#include "tools/run/sdk_variables.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>

namespace gasoline {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr int cannot_start = 126;
constexpr int signal_base = 128;
constexpr int pipe_bytes = 256 << 10;          ///< of the 64 MB that a user has for larger pipes
constexpr std::size_t much_bytes = 32U << 10U; ///< at a time
constexpr timespec gather_time{0, 200'000};
constexpr int most_drain_ms = 1000;
constexpr int quiet_after_end_ms = 100; ///< a pipe that others still hold is drained by then
constexpr milliseconds observer_patience{5000};
constexpr int patient_share = 100; ///< of the time that a command took, when it ended well

// Handlers know these alone.
volatile sig_atomic_t command_group = 0; ///< of a command in a terminal of its own, else its pid
volatile sig_atomic_t own_terminal_fd = -1;
volatile sig_atomic_t was_continued = 0;

void forward(int signal, siginfo_t* info, void*) {
  const int problem = errno;
  // The keys of a shared terminal have reached the command already.
  const bool from_keys = info != nullptr && info->si_code == SI_KERNEL && own_terminal_fd < 0;
  if (command_group > 0 && !from_keys)
    ::kill(own_terminal_fd < 0 ? command_group : -command_group, signal);
  errno = problem;
}

void note_window(int) {
  const int problem = errno;
  if (own_terminal_fd >= 0)
    copy_window_size(STDOUT_FILENO, own_terminal_fd);
  errno = problem;
}

void note_continued(int) {
  was_continued = 1;
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN)
    return; // the command ignores it, too
  struct sigaction wanted {};
  wanted.sa_sigaction = handler;
  wanted.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigaction(signal, &wanted, nullptr);
}

void handle_signals(bool own_terminal) {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
    handle(signal, forward);
  ::signal(SIGPIPE, SIG_IGN);
  if (!own_terminal)
    return;
  handle(SIGTSTP, forward);
  ::signal(SIGWINCH, note_window);
  ::signal(SIGCONT, note_continued);
}

class passage {
 public:
  explicit passage(const run_options& options) : options_(options) {}

  int run() {
    find_engine();
    own_terminal_ = ::isatty(STDOUT_FILENO) == 1;
    if (!(own_terminal_ ? start_in_terminal() : start_in_pipes())) {
      std::cerr << "gasoline: " << options_.command.front()
                << " cannot be started: " << std::strerror(errno) << ".\n";
      return cannot_start;
    }
    channel_.start(options_); // the command starts first: others may be waiting for it
    handle_signals(own_terminal_);
    while (reports_ >= 0)
      turn(-1);
    drain();
    terminal_.restore();
    return finish();
  }

 private:
  /// Tells the command's SDKs of the engine, if one runs.
  void find_engine() {
    const auto state_dir =
        chosen_state_directory(options_.state_dir, options_.config_file, state_environment());
    const auto port = running_engine_port(state_dir);
    engine_runs_ = port.has_value();
    if (port)
      set_sdk_variables(*port, run_name(options_));
  }

  bool start_in_terminal() {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0)
      return false;
    const int slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0)
      return false;
    termios modes{};
    if (::tcgetattr(STDOUT_FILENO, &modes) == 0)
      ::tcsetattr(slave, TCSANOW, &modes);
    copy_window_size(STDOUT_FILENO, slave);
    // Standard input and error that are no terminal stay what they are.
    const bool keys = ::isatty(STDIN_FILENO) == 1;
    const bool merged = ::isatty(STDERR_FILENO) == 1;
    int error_end = slave;
    if (!merged && !open_pipe(streams_[1], error_end, STDERR_FILENO, copy_kind::error))
      return false;
    reports_ = start_kept(options_.command, {keys ? slave : STDIN_FILENO, slave, error_end, true});
    const int problem = errno;
    ::close(slave);
    if (!merged)
      ::close(error_end);
    errno = problem;
    if (reports_ < 0)
      return false;
    ::fcntl(master, F_SETFL, O_NONBLOCK);
    streams_[0] = {file_descriptor{master}, STDOUT_FILENO, copy_kind::output, true};
    own_terminal_fd = master;
    takes_keys_ = keys;
    if (keys)
      terminal_.enter();
    return true;
  }

  bool start_in_pipes() {
    int output = -1;
    int error = -1;
    if (!open_pipe(streams_[0], output, STDOUT_FILENO, copy_kind::output) ||
        !open_pipe(streams_[1], error, STDERR_FILENO, copy_kind::error))
      return false;
    reports_ = start_kept(options_.command, {STDIN_FILENO, output, error, false});
    const int problem = errno;
    ::close(output);
    ::close(error);
    errno = problem;
    return reports_ >= 0;
  }

  bool open_pipe(passed_stream& stream, int& far_end, int to, copy_kind kind) const {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      return false;
    ::fcntl(ends[0], F_SETPIPE_SZ, pipe_bytes);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    far_end = ends[1];
    stream = {file_descriptor{ends[0]}, to, kind, own_terminal_};
    return true;
  }

  /// Waits for what comes next, at most that long; -1: however long that is. False: nothing came.
  bool turn(int timeout_ms) {
    if (was_continued != 0) {
      was_continued = 0;
      resume();
    }
    const bool keys = takes_keys_ && terminal_.is_raw() && keys_waiting_.empty();
    const short to_master = keys_waiting_.empty() ? POLLIN : POLLIN | POLLOUT;
    const short to_channel = channel_.awaits_room() ? POLLIN | POLLOUT : POLLIN;
    std::array<pollfd, 5> all{{{reports_, POLLIN, 0},
                               {streams_[0].descriptor(), to_master, 0},
                               {streams_[1].descriptor(), POLLIN, 0},
                               {keys ? STDIN_FILENO : -1, POLLIN, 0},
                               {channel_.descriptor(), to_channel, 0}}};
    const int flush_ms = channel_.next_flush_ms();
    const int ready = ::poll(all.data(), all.size(), flush_ms >= 0 ? flush_ms : timeout_ms);
    channel_.flush();
    if (ready <= 0)
      return flush_ms >= 0 || (ready < 0 && errno == EINTR);
    for (std::size_t i = 0; i < streams_.size(); ++i)
      if (all[i + 1].revents != 0)
        pass(streams_[i]);
    if (!keys_waiting_.empty())
      put_keys();
    if (all[3].revents != 0)
      take_keys();
    if ((all[4].revents & ~POLLOUT) != 0)
      channel_.take_notices();
    if (all[0].revents != 0)
      take_report();
    return true;
  }

  void pass(passed_stream& stream) {
    if (stream.pass(channel_) < much_bytes || waiting_bytes(stream.descriptor()) >= much_bytes)
      return;
    // A command that prints much would now wake this process for each page that it writes, which
    // costs it more than the page. Awaited a little later, many come at a time.
    ::nanosleep(&gather_time, nullptr);
  }

  static std::size_t waiting_bytes(int fd) {
    int bytes = 0;
    return ::ioctl(fd, FIONREAD, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
  }

  void take_keys() {
    std::array<char, 4096> keys{};
    const auto got = ::read(STDIN_FILENO, keys.data(), keys.size());
    if (got > 0)
      keys_waiting_.assign(keys.data(), static_cast<std::size_t>(got));
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
      takes_keys_ = false;
    put_keys();
  }

  void put_keys() {
    if (keys_waiting_.empty() || !streams_[0].is_open())
      return keys_waiting_.clear();
    const auto put = ::write(streams_[0].descriptor(), keys_waiting_.data(), keys_waiting_.size());
    if (put > 0)
      keys_waiting_.erase(0, static_cast<std::size_t>(put));
    else if (put < 0 && errno != EAGAIN && errno != EINTR)
      keys_waiting_.clear();
  }

  void take_report() {
    keeper_report told;
    const auto got = ::read(reports_, &told, sizeof told);
    if (got < 0 && errno == EINTR)
      return;
    if (got != sizeof told) {
      ::close(reports_);
      reports_ = -1;
      return;
    }
    switch (told.what) {
    case keeper_report::kind::started:
      command_group = told.value;
      break;
    case keeper_report::kind::not_started:
      not_started_ = told.value;
      break;
    case keeper_report::kind::changed:
      if (WIFSTOPPED(told.value))
        return stop();
      status_ = told.value;
      command_group = 0;
      break;
    }
  }

  /// The command was stopped, so this job stops as well, until its shell continues it.
  void stop() {
    terminal_.restore();
    struct sigaction ours {};
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(SIGTSTP, &usual, &ours);
    ::kill(0, SIGTSTP);
    ::sigaction(SIGTSTP, &ours, nullptr);
    was_continued = 0;
    resume();
  }

  void resume() {
    if (takes_keys_)
      terminal_.enter();
    copy_window_size(STDOUT_FILENO, own_terminal_fd);
    if (command_group > 0)
      ::kill(-command_group, SIGCONT);
  }

  bool is_open() const { return streams_[0].is_open() || streams_[1].is_open(); }

  /// What the command has written before its end. Others may hold its streams for as long as they
  /// like: then a process of its own goes on passing what they write.
  void drain() {
    takes_keys_ = false;
    const auto until = clock::now() + milliseconds{most_drain_ms};
    while (is_open() && turn(quiet_after_end_ms) && clock::now() < until) {
    }
    if (!is_open())
      return;
    if (::fork() != 0)
      return;
    outlive_job();
    while (is_open())
      turn(-1);
    ::_exit(0);
  }

  int finish() {
    if (not_started_ != 0) {
      std::cerr << "gasoline: " << options_.command.front() << ": " << std::strerror(not_started_)
                << '\n';
      return not_started_ == ENOENT ? cannot_start + 1 : cannot_start;
    }
    if (!channel_.finish(status_, patience()) && channel_.has_backlog())
      hand_over();
    if (channel_.left_out() > 0)
      std::cerr << "gasoline: " << channel_.left_out()
                << " bytes of the output were shown but not looked at: they came too fast.\n";
    return WIFSIGNALED(status_) ? signal_base + WTERMSIG(status_) : WEXITSTATUS(status_);
  }

  /// How long the user waits for what was found to be told: of a failure that is, and that there
  /// is no engine. What a command says that ended well is told while it runs; the rest does not
  /// hold up whoever waits for the command.
  std::chrono::nanoseconds patience() const {
    if (status_ != 0 || !engine_runs_)
      return observer_patience;
    if (channel_.is_behind())
      return {};
    return std::min<std::chrono::nanoseconds>((clock::now() - began_) / patient_share,
                                              observer_patience);
  }

  /// What the observer has yet to take is brought to it by a process of its own.
  void hand_over() {
    if (::fork() != 0)
      return;
    outlive_job();
    streams_ = {};
    const file_descriptor null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(null.get(), fd);
    channel_.await_observer(observer_patience);
    ::_exit(0);
  }

  const run_options& options_;
  const clock::time_point began_ = clock::now();
  copy_channel channel_;
  raw_terminal terminal_;
  std::array<passed_stream, 2> streams_;
  std::string keys_waiting_;
  bool own_terminal_ = false;
  bool takes_keys_ = false;
  bool engine_runs_ = false;
  int reports_ = -1;
  int not_started_ = 0;
  int status_ =
      SIGKILL; ///< when the keeper ends without a word, it was killed, and the command too
};

} // namespace

int run_command(const run_options& options) {
  return passage{options}.run();
}

} // namespace gasoline
