#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gasoline {

/// What is to be done once a backend that several engines share has come so far.
class stream_waits {
 public:
  using action = std::function<void()>;

  enum class condition : std::uint8_t {
    connecting, ///< was never reached, and never failed
    reachable,
    lost
  };

  /// A command until the server can be reached, or has failed.
  struct held_command {
    action run;
    std::function<void(const std::string&)> refuse; ///< with the problem; null: waits on
  };

  condition now = condition::connecting;
  std::string problem;      ///< while lost: a sentence
  bool lists_known = false; ///< the streams were listed once
  std::uint64_t dropped_alerts = 0;

  void hold(held_command command) { held_.push_back(std::move(command)); }
  std::size_t held() const { return held_.size(); }

  /// Runs what was held; `now` must be reachable.
  void run_held();

  /// Refuses what was held and does not wait on.
  void refuse_held();

  /// Runs `then` when the stream has the event with that id, or is gone.
  void until(const std::string& stream, std::uint64_t id, action then);

  /// The stream has events up to that id.
  void reached(const std::string& stream, std::uint64_t id);

  /// The stream is gone.
  void gone(const std::string& stream);

  /// Events up to that id are on their way to this engine, though they are old.
  void expect(const std::string& stream, std::uint64_t id) { expected_[stream] = id; }

  /// The id up to which a stream is still being filled; 0: it is not.
  std::uint64_t expected(const std::string& stream) const;

 private:
  std::deque<held_command> held_;
  std::map<std::string, std::multimap<std::uint64_t, action>> by_stream_;
  std::map<std::string, std::uint64_t> expected_;
};

} // namespace gasoline
