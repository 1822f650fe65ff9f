#pragma once

#include "actors/frames/frame_rewriting.hpp"
#include "messages/telemetry/event.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The text of a field as it is written, escapes and all; empty: there is none.
std::string_view told_text(const raw_event& e, std::string_view name);

/// The script that an event names as its place, as it is written; empty: it names none.
std::string_view told_script(const raw_event& e);

/// The frames of an event, or, where it has none with a place, the place that it tells of itself by
/// `filename`, `lineno` and `colno`, as a frame: if that is a script of `origin` or an evaluated
/// module.
std::string places_of(const raw_event& e, std::string_view origin);

/// Puts the original place in the place of the one that the event tells of itself. Answers whether
/// a map knew it.
bool lead_place_back(raw_event& e, std::string_view origin, const map_lookup& maps);

/// Whether a frame of the project is known only by the name that a bundler gave to what it
/// evaluates.
bool has_evaluated_frames(std::string_view stack);

/// The scripts of `origin` that the page says it had loaded when code failed that was evaluated,
/// the newest first; only the last ones.
std::vector<std::string> listed_scripts(const raw_event& e, std::string_view origin);

/// Takes that list out of the event: nobody else has a use for it.
void drop_listed_scripts(raw_event& e);

} // namespace gasoline
