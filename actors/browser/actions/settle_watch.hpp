#pragma once

#include "config/limits.hpp"
#include "messages/base/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gasoline {

/// Says when what an action brings about is over: the page has loaded, no request that it waits for
/// is open, and nothing has happened for a moment; sooner where the page says that it has put off
/// nothing for that moment. Knows no clock.
class settle_watch {
 public:
  /// `load` and `effects` bound how long a load, and what comes after it, are waited for.
  settle_watch(mono_time begun, std::chrono::milliseconds quiet, std::chrono::milliseconds load,
               std::chrono::milliseconds effects)
      : begun_(begun), last_(begun), quiet_(quiet), load_(load), effects_(effects) {}

  /// How the page is at a moment.
  struct sight {
    bool loading = false;
    bool stopped = false;       ///< by a dialog or a crash: nothing more will happen by itself
    std::size_t requests = 0;   ///< open, of those that it waits for
    std::size_t unanswered = 0; ///< of them, those whose answers have not begun to come
    std::size_t bodies = 0;     ///< on their way here
    std::size_t passing = 0;    ///< open, of those that end soon and that it does not wait for
  };

  /// Something has happened in the page, from which nothing follows that it does not tell.
  void hear(mono_time now) { last_ = now; }

  /// Something has happened in the page, from which more may follow: what it has told of what it
  /// has put off holds no more.
  void stir(mono_time now) {
    hear(now);
    ++turn_;
  }

  /// More may come since then of which the page knows nothing: it has to be quiet long enough.
  void hold(mono_time since) {
    last_ = std::max(last_, since);
    held_until_ = std::max(held_until_, since + quiet_);
  }

  /// How long it is quiet enough from now on if nothing more happens; 0: it is.
  std::chrono::milliseconds rest(mono_time now) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(last_ + quiet_ - now);
    return std::max(left, std::chrono::milliseconds{0});
  }

  /// Which question to the page, what it has put off, is to be asked now; nothing: none.
  std::optional<std::uint64_t> take_question(const sight& page) {
    if (page.loading || page.stopped || page.unanswered > 0 || asked_ == turn_)
      return std::nullopt;
    asked_ = turn_;
    return turn_;
  }

  /// The page's answer to a question: nothing is due. `reads`: it may wait for the ends of answers.
  void at_rest(std::uint64_t question, bool reads) {
    rested_ = question;
    reads_ = reads;
  }

  /// Something was due, and has come by now: the question may be asked again.
  void ask_again(std::uint64_t question) {
    if (asked_ == question)
      asked_ = 0;
  }

  /// Whether the page has told that nothing is due, and nothing has happened since.
  bool is_at_rest() const { return rested_ == turn_; }

  enum class verdict { wait, settled, too_long };

  verdict at(mono_time now, const sight& page) {
    if (page.stopped)
      return verdict::settled;
    if (page.loading)
      loaded_ = now;
    if (now - begun_ >= load_ || (!page.loading && now - std::max(begun_, loaded_) >= effects_))
      return page.loading ? verdict::too_long : verdict::settled;
    const auto read = is_at_rest() && !reads_ ? page.unanswered : page.requests;
    if (page.loading || read > 0 || page.bodies > 0)
      return verdict::wait;
    const bool is_over = is_at_rest() && page.passing == 0 && now >= held_until_;
    return is_over || now - last_ >= quiet_ ? verdict::settled : verdict::wait;
  }

 private:
  mono_time begun_;
  mono_time last_;
  mono_time loaded_{}; // when it was last seen loading
  mono_time held_until_{};
  std::uint64_t turn_ = 1;   // goes on with each stir
  std::uint64_t asked_ = 0;  // the turn of the last question; 0: none counts
  std::uint64_t rested_ = 0; // the turn of which the page has told that nothing is due
  bool reads_ = true;
  std::chrono::milliseconds quiet_;
  std::chrono::milliseconds load_;
  std::chrono::milliseconds effects_;
};

} // namespace gasoline
