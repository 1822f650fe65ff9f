#pragma once

#include "messages/base/atoms.hpp"

#include <cstdint>
#include <memory>
#include <string>

// Verbs of the messages about browsers; at most ten characters.
CAF_ADD_ATOM(gasoline, gasoline, act_atom, "act")
CAF_ADD_ATOM(gasoline, gasoline, said_atom, "said")
CAF_ADD_ATOM(gasoline, gasoline, lost_atom, "lost")

namespace gasoline {

/// Why a browser is not there, or no longer.
struct browser_loss {
  std::string sentence;   ///< says what to do, where something can be done
  bool may_retry = false; ///< one that is attached to may be looked for again: nobody is asked
};

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::browser_loss)

namespace gasoline {

/// Who hears what a browser says. The number is that of the link, so that what a lost browser said
/// last is not taken for its successor's.
using browser_reader = caf::typed_actor<
    // A message of the Chrome DevTools Protocol, as it came.
    caf::reacts_to<said_atom, std::uint64_t, std::string>,
    // The browser has ended or could not be reached; nothing follows.
    caf::reacts_to<lost_atom, std::uint64_t, browser_loss>>;

/// A way to one browser. Lives on the io thread, which runs the actors.
class browser_link {
 public:
  virtual ~browser_link() = default;

  /// Sends one message. What is over the budget of unsent bytes ends the link.
  virtual void send(std::string message) = 0;

  /// How many messages of the browser were too large and are lost.
  virtual std::uint64_t dropped() const = 0;

  /// Ends the browser if it was launched for this link. Nothing is told afterwards but what was
  /// sent before.
  virtual void close() = 0;
};

/// Gets browsers. Calls return at once; used on the io thread.
class browser_dialer {
 public:
  virtual ~browser_dialer() = default;

  /// Launches a browser or attaches to one, and tells `reader` what it says.
  virtual std::shared_ptr<browser_link> connect(std::uint64_t number, browser_reader reader) = 0;
};

} // namespace gasoline
