#pragma once

#include "actors/base/actor_timers.hpp"
#include "actors/browser/cdp/cdp_calls.hpp"
#include "config/limits.hpp"
#include "messages/browser/browser_actors.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The commands to a browser and their answers. Used by its actor alone.
class browser_port {
 public:
  browser_port(browser_actor::pointer self, const limits_of<browser_room>& limit)
      : self_(self), limit_(limit) {}

  /// From now on commands go there; null: nowhere, and nobody waits for an answer any more.
  void use(std::shared_ptr<browser_link> link);

  bool is_open() const { return link_ != nullptr; }

  /// Sends a command and tells what becomes of it, within the usual time unless `patience` says
  /// otherwise. An empty session is the browser itself.
  void call(std::string_view session, std::string_view method, const nlohmann::json& parameters,
            cdp_then then, std::chrono::milliseconds patience = {});

  /// The same, where nobody wants to know what became of it.
  void tell(std::string_view session, std::string_view method,
            const nlohmann::json& parameters = nlohmann::json::object());

  /// Takes the answer to a command.
  void answered(const cdp_message& message);

  /// The session is gone, and what was asked there is not answered any more.
  void session_gone(std::string_view session);

  std::uint64_t dropped() const { return dropped_ + (link_ ? link_->dropped() : 0); }
  std::uint64_t unanswered() const { return unanswered_; }

  actor_timers& timers() { return timers_; }
  browser_actor::pointer self() const { return self_; }

 private:
  void watch_deadlines();
  void end_overdue();

  browser_actor::pointer self_;
  limits_of<browser_room> limit_;
  std::shared_ptr<browser_link> link_;
  cdp_calls calls_;
  actor_timers timers_;
  std::uint64_t watch_ = 0;            // number of the timer for the next deadline; 0: none runs
  std::optional<mono_time> watch_end_; // when it is due
  std::uint64_t dropped_ = 0;
  std::uint64_t unanswered_ = 0;
};

} // namespace gasoline
