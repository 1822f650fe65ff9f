#include "tools/run/observer.hpp"

#include "config/settings.hpp"
#include "tools/run/copy_channel.hpp"
#include "tools/run/engine_posts.hpp"
#include "tools/run/findings/finding_posts.hpp"
#include "tools/run/output_reader.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <string_view>

namespace gasoline {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr int socket_end = STDIN_FILENO;
constexpr std::size_t packet_bytes = (64U << 10U) + 64;
constexpr int wake_ms = 250;
constexpr auto explains_within = 10s;

int number_in(std::string_view text) {
  int out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

class observer {
 public:
  observer(const settings& config, std::string name, std::string command)
      : posts_(config), name_(std::move(name)), command_(std::move(command)) {}

  int run() {
    posts_.add(start_post(command_, name_));
    if (!posts_.reach())
      notify(posts_.problem() + " The command runs without it.");
    while (take_packet()) {
    }
    return 0;
  }

 private:
  /// False: nobody is at the other end any more.
  bool take_packet() {
    pollfd one{socket_end, POLLIN, 0};
    const int ready = ::poll(&one, 1, wake_ms);
    const auto now = clock::now();
    if (ready == 0) {
      output_.pass_time(now);
      error_.pass_time(now);
      tell(now);
      return true;
    }
    const auto got = ::recv(socket_end, packet_.data(), packet_.size(), 0);
    // A passage that ends without having read what it was told is no reason to leave the rest.
    if (got <= 0)
      return got < 0 && (errno == EINTR || errno == ECONNRESET);
    take({packet_.data(), static_cast<std::size_t>(got)}, now);
    return true;
  }

  void take(std::string_view packet, mono_time now) {
    const auto payload = packet.substr(1);
    switch (static_cast<copy_kind>(packet.front())) {
    case copy_kind::output:
      output_.take(payload, now);
      break;
    case copy_kind::error:
      error_.take(payload, now);
      break;
    case copy_kind::gap:
      output_.skip(now);
      error_.skip(now);
      break;
    case copy_kind::status:
      return end(number_in(payload), now);
    case copy_kind::notice:
    case copy_kind::finished:
      break;
    }
    if (now - told_at_ >= 100ms)
      tell(now);
  }

  void collect(output_reader& reader, mono_time now) {
    for (auto& found : reader.take_findings()) {
      if (found.kind != output_finding_kind::build_passed &&
          found.kind != output_finding_kind::tests_passed)
        fault_at_ = now;
      if (found.kind == output_finding_kind::tests_failed)
        join_run(found);
      posts_.add(post_of(found, name_));
    }
  }

  // Vitest in a pipe tells the numbers on one stream and which tests it were on the other.
  void join_run(output_finding& run) {
    const bool of_same_run = tests_failed_ && numbers_tool_ == run.tool && !run.failures.empty();
    tests_failed_ = true;
    if (of_same_run)
      run.message = numbers_;
    numbers_tool_ = run.failures.empty() ? run.tool : std::string{};
    numbers_ = run.message;
  }

  void tell(mono_time now) {
    told_at_ = now;
    collect(output_, now);
    collect(error_, now);
    posts_.send(now);
  }

  void end(int status, mono_time now) {
    command_end how;
    how.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    how.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    how.lasted = std::chrono::duration_cast<std::chrono::milliseconds>(now - began_);
    // Of the two readers only one may say that all is well.
    const int code = how.signal != 0 ? -1 : how.exit_code;
    error_.finish(-1, now);
    output_.finish(error_.has_build_errors() ? -1 : code, now);
    collect(output_, now);
    collect(error_, now);
    how.explained =
        how.signal == 0 &&
        (tests_failed_ || (fault_at_ != mono_time{} && now - fault_at_ <= explains_within));
    how.last_lines = output_.last_lines();
    for (auto& line : error_.last_lines())
      how.last_lines.push_back(std::move(line));
    posts_.add(end_post(how, command_, name_));
    posts_.send_all();
    if (const auto lost = posts_.dropped() + posts_.waiting(); lost > 0 && reached_once())
      notify(std::to_string(lost) + " findings were not taken: " + posts_.problem());
    const char done = static_cast<char>(copy_kind::finished);
    ::send(socket_end, &done, 1, MSG_NOSIGNAL);
  }

  bool reached_once() const { return !notified_; }

  void notify(const std::string& sentence) {
    notified_ = true;
    const auto packet =
        std::string(1, static_cast<char>(copy_kind::notice)) + sentence.substr(0, 1000);
    ::send(socket_end, packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  engine_posts posts_;
  std::string name_;
  std::string command_;
  output_reader output_;
  output_reader error_;
  std::array<char, packet_bytes> packet_{};
  mono_time began_ = clock::now();
  mono_time told_at_ = began_;
  mono_time fault_at_{};
  std::string numbers_tool_; ///< of a failed run that named none of its failures
  std::string numbers_;
  bool tests_failed_ = false;
  bool notified_ = false;
};

} // namespace

int observe_command(const std::vector<std::string>& words) {
  if (words.size() != 5)
    return 2;
  settings_flags flags;
  if (!words[2].empty())
    flags.state_dir = words[2];
  if (!words[3].empty())
    flags.config_file = words[3];
  if (!words[4].empty())
    flags.token_file = words[4];
  const auto config = load_settings(flags, process_environment());
  if (!config) {
    const auto text = "n" + config.error().message + " The command runs without the engine.";
    ::send(socket_end, text.data(), text.size(), MSG_NOSIGNAL);
    return 2;
  }
  return observer{*config, words[0], words[1]}.run();
}

} // namespace gasoline
