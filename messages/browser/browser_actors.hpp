#pragma once

#include "messages/actors.hpp"
#include "messages/browser/browser_link.hpp"

#include <cstdint>
#include <memory>

namespace gasoline {

struct browser_action;
struct action_report;

using browser_action_ptr = std::shared_ptr<const browser_action>;
using action_report_ptr = std::shared_ptr<const action_report>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::browser_action_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::action_report_ptr)

namespace gasoline {

/// The engine's browser: follows its pages and acts in them.
using browser_actor = health_source::extend<
    // Does one thing in a page, and answers what came of it, once that is known.
    caf::replies_to<act_atom, browser_action_ptr>::with<action_report_ptr>,
    // The client is gone; its pages stay, and are nobody's.
    caf::reacts_to<forget_atom, client_id>,
    // INTERNAL: what was told to the engine in that post has been handled.
    caf::reacts_to<settled_atom, std::uint64_t>,
    // INTERNAL: tells the engine what has come together.
    caf::reacts_to<flush_atom>>::extend_with<browser_reader>;

} // namespace gasoline
