#pragma once

#include "config/settings.hpp"

namespace gasoline {

struct doctor_options {
  bool as_json = false;
  settings_flags flags; ///< as this command was given them
};

/// Says on stdout, on one screen or as JSON, what runs (program, port and who holds it, socket,
/// engine with its clients, last events and conversations, agents with their hooks), what is wrong,
/// and what to do about it. Answers the exit code: 0 when nothing is wrong, else 1.
int run_doctor(const settings& config, const doctor_options& options);

/// Lists every limit as `NAME = VALUE`. Answers the exit code, which is 0.
int run_doctor_limits(const settings& config);

} // namespace gasoline
