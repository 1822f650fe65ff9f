#pragma once

#include "messages/base/enum_names.hpp"
#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <optional>

namespace gasoline {

/// The noise that every page of a developer makes.
enum class builtin_noise : std::uint8_t {
  extension,
  script_error,
  resize_observer,
  opaque_rejection,
  aborted_request,
  favicon,
  preflight,
  hot_reload,
  on_purpose,
  blocked,
  probe,
  advice
};

constexpr std::size_t builtin_noise_count = 12;

template <>
struct enum_table<builtin_noise> {
  static constexpr std::array<std::pair<builtin_noise, std::string_view>, builtin_noise_count> rows{
      {
          {builtin_noise::extension, "builtin_extension"},
          {builtin_noise::script_error, "builtin_script_error"},
          {builtin_noise::resize_observer, "builtin_resize_observer"},
          {builtin_noise::opaque_rejection, "builtin_opaque_rejection"},
          {builtin_noise::aborted_request, "builtin_aborted_request"},
          {builtin_noise::favicon, "builtin_favicon"},
          {builtin_noise::preflight, "builtin_preflight"},
          {builtin_noise::hot_reload, "builtin_hot_reload"},
          {builtin_noise::on_purpose, "builtin_on_purpose"},
          {builtin_noise::blocked, "builtin_blocked"},
          {builtin_noise::probe, "builtin_probe"},
          {builtin_noise::advice, "builtin_advice"},
      }};
};

/// What that rule hides, for users.
std::string_view reason_of(builtin_noise rule);

/// The rule that the event meets, or nothing. To be asked only for events that may alert.
std::optional<builtin_noise> builtin_noise_in(const event& e);

/// Judges known samples of noise and of real faults; false when a rule has stopped working.
bool builtin_noise_works();

} // namespace gasoline
