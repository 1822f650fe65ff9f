#include "tools/session_tail.hpp"

#include "tools/engine_call.hpp"
#include "tools/session_stream.hpp"
#include "tools/session_view.hpp"
#include "transport/http/url_encoding.hpp"

#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <optional>
#include <thread>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds session_first_rest{100};
constexpr std::chrono::milliseconds session_longest_rest{5'000};

/// Leaves the terminal as it was. Only what a signal handler may do.
void end_at_signal(int) {
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

class session_tail {
 public:
  session_tail(const settings& config, const session_tail_options& options)
      : config_(config), options_(options), view_(style_of(STDOUT_FILENO)) {}

  tail_end run() {
    auto rest = session_first_rest;
    for (;;) {
      const auto seen = frames_;
      if (auto end = follow())
        return *end;
      if (frames_ > seen)
        rest = session_first_rest;
      std::this_thread::sleep_for(rest);
      rest = std::min(rest * 2, session_longest_rest);
    }
  }

 private:
  /// One connection, until it breaks; an end when it is not to be made again.
  std::optional<tail_end> follow() {
    const auto attached = call_engine(config_, {"GET", path(), {}, {}});
    if (!attached)
      return known_ ? std::nullopt : std::optional{tail_end{1, attached.error().message}};
    if (attached->status == 503 && known_)
      return std::nullopt;
    if (attached->status != 200)
      return tail_end{1, refusal_sentence(*attached)};
    known_ = true;
    auto stream = open_session_stream(config_, attached->body);
    if (!stream)
      return std::nullopt;
    return read(**stream);
  }

  std::optional<tail_end> read(session_stream& stream) {
    if (!subscribe(stream))
      return std::nullopt;
    while (auto frame = stream.read()) {
      ++frames_;
      if (auto end = take(stream, *frame))
        return end;
      std::cout.flush();
      if (!std::cout.good())
        return tail_end{};
    }
    if (stream.close_code() == session_close_deleted)
      return tail_end{0, "The session was deleted."};
    return std::nullopt;
  }

  bool subscribe(session_stream& stream) {
    const bool anew = cursor_.empty();
    return stream.write({{"type", "subscribe"},
                         {"filter", "preset:full"},
                         {"since", anew ? json(nullptr) : json(cursor_)},
                         {"snapshot", anew}});
  }

  std::optional<tail_end> take(session_stream& stream, const json& frame) {
    const auto type = frame.value("type", "");
    if (type == "ping")
      stream.write({{"type", "pong"}, {"nonce", frame.value("nonce", "")}});
    else if (type == "subscribe_error")
      return take_refusal(stream, frame);
    else if (type == "subscribe_ack")
      return std::nullopt;
    else if (type == "snapshot")
      return take_snapshot(frame);
    else if (type == "event")
      take_event(frame);
    return std::nullopt;
  }

  /// What was missed cannot be replayed; the snapshot shows at least its messages.
  std::optional<tail_end> take_refusal(session_stream& stream, const json& frame) {
    if (cursor_.empty())
      return tail_end{1, frame.value("message", "")};
    cursor_.clear();
    print(view_.note("(some events were missed)"));
    subscribe(stream);
    return std::nullopt;
  }

  std::optional<tail_end> take_snapshot(const json& frame) {
    cursor_ = frame.value("snapshot_at_event_id", "");
    print(view_.show(frame));
    return submit();
  }

  void take_event(const json& frame) {
    const auto& e = frame.at("event");
    if (options_.format == tail_format::json)
      std::cout << e.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
    else
      print(view_.show(frame));
    cursor_ = e.value("id", cursor_);
  }

  /// The turn is started once the stream shows it from its first event on.
  std::optional<tail_end> submit() {
    if (options_.submit.empty() || std::exchange(submitted_, true))
      return std::nullopt;
    const auto answer = call_engine(
        config_, {"POST", path() + "/turns", json{{"content", options_.submit}}.dump(), {}});
    if (!answer)
      return tail_end{1, answer.error().message};
    if (answer->status != 202)
      return tail_end{1, refusal_sentence(*answer)};
    return std::nullopt;
  }

  void print(const std::string& text) {
    if (options_.format == tail_format::text)
      std::cout << text;
  }

  std::string path() const { return "/sessions/" + percent_encoded(options_.session_id); }

  const settings& config_;
  const session_tail_options& options_;
  session_view view_;
  std::string cursor_; // id of the last event; empty: none yet
  bool known_ = false; // the engine has shown the session once
  bool submitted_ = false;
  std::uint64_t frames_ = 0;
};

} // namespace

int run_session_tail(const settings& config, const session_tail_options& options) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, end_at_signal);
  std::signal(SIGTERM, end_at_signal);
  const auto end = session_tail{config, options}.run();
  if (!end.sentence.empty())
    std::cerr << "gasoline: " << end.sentence << '\n';
  return end.code;
}

} // namespace gasoline
