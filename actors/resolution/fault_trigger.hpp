#pragma once

#include "actors/resolution/deed_keys.hpp"
#include "messages/base/time.hpp"
#include "messages/telemetry/event_refs.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Something that has to be seen again before the absence of a fault says anything.
struct trigger_need {
  deed_key key = 0;
  deed_key instead = 0; ///< seen in its place, it says that the attempt failed; 0: there is none
  deed_key quiet = 0;   ///< will do as well, after a while, when `failed_key` was not seen
  deed_key failed_key = 0;
  std::string done;      ///< `click on Pay was done again`
  std::string lack;      ///< `click on Pay was not done again`
  std::string failed{};  ///< what is said when only `instead` was seen
  bool is_load = false;  ///< its page, in a new document
  bool is_route = false; ///< any request of a route
};

/// What brought a fault about, as far as that was seen: all of it has to be done again, and then
/// the fault has to stay away for as long as it took to come.
struct fault_trigger {
  std::vector<trigger_need> needs; ///< none: nothing would show that it was tried
  std::string lack;                ///< why there are none
  std::chrono::milliseconds delay{0};
  bool at_once = false; ///< the deed itself says that the fault is gone; nothing is waited for
  std::string page;     ///< that the fault happened on; may be empty
};

/// What happened around faults, oldest first.
struct deed_history {
  event_refs actions;
  event_refs requests; ///< those whose end was seen
};

/// Whether the request belongs to what happened around faults: its end was told, or timed.
bool is_kept_request(const event& e);

/// The actions and ended requests among these.
deed_history deeds_in(event_span events);

/// What brought the fault about whose occurrence `e` is; of several, one is enough. A failed build:
/// the build. A failed request: that request; where a page asked for what is not there, also what
/// made it ask. Otherwise what the user did on its page within the 5 s before, else that the page
/// was loaded; and what the page had fetched just before. An error of a program: the request that
/// it failed to answer.
std::vector<fault_trigger> triggers_of(const event& e, const deed_history& past,
                                       std::optional<wall_time> document_began);

/// A request of that route, whatever its ids: for a fault that came with every one of several.
fault_trigger any_request_of_its_route(const event& e);

/// How much longer than it took before a fault may take to come, and to be told of.
inline constexpr std::chrono::milliseconds trigger_grace{1'000};

} // namespace gasoline
