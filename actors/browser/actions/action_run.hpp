#pragma once

#include "actors/browser/actions/settle_watch.hpp"
#include "actors/browser/pages/page_table.hpp"
#include "messages/browser/browser_action.hpp"
#include "messages/browser/browser_actors.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// One action under way: what was asked, in which page, and what it has brought about so far.
struct action_run {
  browser_action_ptr asked;
  caf::typed_response_promise<action_report_ptr> promise;
  page_ptr page; ///< null: not found yet
  mono_time begun{};
  std::optional<settle_watch> settle; ///< it was done, and its effects are waited for
  std::string did;                    ///< `clicked button "Save"`; empty: its effects say it
  std::string failure;                ///< why it was not done, told when its effects are over
  std::vector<std::string> effects;   ///< a few words each, in order
  std::uint64_t world = 0;            ///< where it acted, to see what changed; 0: nowhere
  mono_time held_since{};             ///< others may have something to say to the page since then
  bool acted = false;                 ///< input is on its way: what happens now is its effect
  bool navigated = false;             ///< the page shows another document
  bool asking = false;                ///< the browser is asked whether more is on its way
  bool over = false;                  ///< it was answered
};

using action_run_ptr = std::shared_ptr<action_run>;

/// Of a page whose scripts never end.
inline constexpr const char* hanging_page =
    "The page does not answer: its scripts hang. navigate, also with reload, ends them.";

/// Notes an effect, once, and no more than a few of them.
void note_effect(action_run& run, std::string effect);

/// A dialog as it is told: `confirm dialog "Delete?"`.
std::string dialog_words(const page_dialog& dialog);

/// A text of a page within quotes, on one line and not too long.
std::string page_quote(std::string_view text);

} // namespace gasoline
