#include "tools/terminal/session_tail.hpp"

#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"
#include "messages/base/presentable_text.hpp"
#include "tools/terminal/engine_call.hpp"
#include "tools/terminal/pressed_keys.hpp"
#include "tools/terminal/session_feed.hpp"
#include "tools/terminal/session_follower.hpp"
#include "tools/terminal/session_view.hpp"

#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace gasoline {
namespace {

constexpr std::chrono::seconds submit_within{30};

/// Between two looks at the keyboard, while something is asked.
constexpr std::chrono::milliseconds key_pause{50};

/// Leaves the terminal as it was. Only what a signal handler may do.
void end_at_signal(int) {
  pressed_keys::restore();
  constexpr std::string_view reset = "\x1b[0m\n";
  if (::isatty(STDOUT_FILENO) == 1 && ::write(STDOUT_FILENO, reset.data(), reset.size()) < 0)
    ::_exit(1);
  ::_exit(0);
}

view_style style_of(int fd) {
  view_style out;
  out.terminal = ::isatty(fd) == 1;
  winsize size{};
  if (out.terminal && ::ioctl(fd, TIOCGWINSZ, &size) == 0)
    out.columns = size.ws_col;
  return out;
}

/// Why following ends: with success, or with a sentence.
struct tail_end {
  int code = 0;
  std::string sentence;
};

double draw_jitter() {
  static std::mt19937_64 source{std::random_device{}()};
  return std::uniform_real_distribution<double>{0, 1}(source);
}

/// Carries out what the follower wants with real sockets and the real clock.
class session_tail {
 public:
  session_tail(const settings& config, const session_tail_options& options)
      : config_(config),
        options_(options),
        view_(style_of(STDOUT_FILENO)),
        follower_({options.session_id, "preset:full", std::nullopt}, draw_jitter) {}

  tail_end run() {
    carry_out(follower_.start(now()));
    while (!end_)
      await_next();
    return *end_;
  }

 private:
  using clock = std::chrono::steady_clock;

  std::chrono::milliseconds now() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - start_);
  }

  clock::time_point deadline() const {
    return start_ + follower_.deadline().value_or(std::chrono::milliseconds{0});
  }

  void await_next() {
    if (stream_ == nullptr) {
      std::this_thread::sleep_until(deadline());
      carry_out(follower_.tick(now()));
      return;
    }
    if (keys_)
      answer_with_key();
    const auto until = keys_ ? std::min(deadline(), clock::now() + key_pause) : deadline();
    std::visit([this](const auto& news) { take(news); }, stream_->read(until));
  }

  void take(const feed_silence&) {
    if (clock::now() >= deadline())
      carry_out(follower_.tick(now()));
  }

  // ---- permissions ----

  /// What a key says to the oldest request that waits.
  void answer_with_key() {
    const auto key = keys_->next();
    if (!key)
      return;
    const auto letter = std::tolower(static_cast<unsigned char>(*key));
    const auto* decision = letter == 'y'   ? "allow_once"
                           : letter == 'a' ? "allow_session"
                           : letter == 'n' ? "deny"
                                           : nullptr;
    if (decision != nullptr && !asked_.empty())
      stream_->write(
          {{"type", "permission"}, {"request_id", asked_.front()}, {"decision", decision}});
  }

  /// What a frame says of requests. Before it is shown: a key that is pressed once a question is on
  /// the screen counts, and none that was pressed before.
  void note_permissions(const nlohmann::json& frame) {
    const auto& event = json_member(frame, "event");
    const auto type = text_member(event, "type");
    const auto id = text_member(json_member(event, "payload"), "request_id");
    if (type == "permission.requested")
      asked_.push_back(id);
    else if (type == "permission.resolved" && std::erase(asked_, id) > 0 && keys_)
      keys_->forget();
    listen_for_keys();
  }

  /// Keys are read only while a request waits, so that the terminal is the user's otherwise.
  void listen_for_keys() {
    if (asked_.empty())
      keys_.reset();
    else if (!keys_ && options_.format == tail_format::text && ::isatty(STDIN_FILENO) == 1)
      keys_.emplace();
  }

  /// Requests that were made before this client came.
  void ask_what_waits(const nlohmann::json& session) {
    const auto& waiting = json_member(session, "pending_permissions");
    asked_.clear();
    for (const auto& request : waiting)
      asked_.push_back(text_member(request, "request_id"));
    listen_for_keys();
    if (options_.format != tail_format::text)
      return;
    for (const auto& request : waiting)
      std::cout << view_.show(
          {{"type", "event"}, {"event", {{"type", "permission.requested"}, {"payload", request}}}});
  }

  void take(const feed_frame& frame) { carry_out(follower_.received(frame.text, now())); }

  void take(const feed_close& close) {
    stream_.reset();
    carry_out(follower_.closed(close.code, close.reason, now()));
  }

  // ---- actions ----

  void carry_out(const session_actions& actions) {
    for (const auto& action : actions)
      if (!end_)
        std::visit([this](const auto& one) { act(one); }, action);
    std::cout.flush();
    if (!std::cout.good())
      end_ = tail_end{};
    else if (const auto& end = follower_.end(); end && !end_)
      end_ = tail_end{is_good(*end) ? 0 : 1, end->message};
  }

  /// Only a session that the engine has shown once is waited for.
  void act(const attach_action&) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline() - clock::now());
    const auto answer = call_engine(config_, {"GET", path(), {}, {}, left});
    if (!known_ && (!answer || answer->status != 200)) {
      end_ = tail_end{1, answer ? refusal_sentence(*answer) : answer.error().message};
      return;
    }
    known_ = true;
    std::optional<session_attach_answer> told;
    if (answer)
      told = {answer->status, answer->body, answer->retry_after};
    carry_out(follower_.attached(told, now()));
  }

  void act(const connect_action& action) {
    auto stream = open_session_feed(config_, action.url, deadline());
    if (!stream) {
      carry_out(follower_.closed(feed_close{}.code, {}, now()));
      return;
    }
    stream_ = std::move(*stream);
    carry_out(follower_.opened());
  }

  void act(const send_action& action) { stream_->write(action.frame); }

  void act(const close_action& action) {
    if (stream_ != nullptr)
      stream_->close(action.code);
    stream_.reset();
  }

  void act(const show_action& action) {
    note_permissions(action.frame);
    if (options_.format == tail_format::text)
      std::cout << view_.show(action.frame);
    else if (const auto event = action.frame.find("event"); event != action.frame.end())
      std::cout << terminal_line(dumped(*event)) << '\n';
    if (action.frame.at("type") != "snapshot")
      return;
    ask_what_waits(json_member(action.frame, "session"));
    submit();
  }

  /// The turn is started once the stream shows it from its first event on.
  void submit() {
    if (options_.submit.empty() || std::exchange(submitted_, true))
      return;
    const auto answer = call_engine(
        config_,
        {"POST", path() + "/turns", dumped({{"content", options_.submit}}), {}, submit_within});
    if (!answer)
      end_ = tail_end{1, answer.error().message};
    else if (answer->status != 202)
      end_ = tail_end{1, refusal_sentence(*answer)};
  }

  static bool is_good(const session_end& end) {
    return end.code == "session_deleted" || end.code == "closed_1000";
  }

  std::string path() const { return "/sessions/" + percent_encoded(options_.session_id); }

  const settings& config_;
  const session_tail_options& options_;
  const clock::time_point start_ = clock::now();
  session_view view_;
  session_follower follower_;
  std::unique_ptr<session_feed> stream_;
  std::vector<std::string> asked_; // permission requests that wait, oldest first
  std::optional<pressed_keys> keys_;
  bool known_ = false; // the engine has shown the session once
  bool submitted_ = false;
  std::optional<tail_end> end_;
};

} // namespace

int run_session_tail(const settings& config, const session_tail_options& options) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, end_at_signal);
  std::signal(SIGTERM, end_at_signal);
  const auto end = session_tail{config, options}.run();
  if (!end.sentence.empty())
    std::cerr << "gasoline: " << terminal_text(end.sentence) << '\n';
  return end.code;
}

} // namespace gasoline
