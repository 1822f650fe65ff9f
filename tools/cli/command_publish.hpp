#pragma once

#include "config/settings.hpp"

#include <string>

namespace gasoline {

/// What `gasoline publish` was told.
struct publish_options {
  std::string stream;
  std::string data; ///< JSON, or a text that is no JSON; `-`: standard input
  std::string topic;
  std::string type;
  bool by_lines = false;   ///< each line of standard input is an event
  std::string create_type; ///< makes the stream with this type when it is not there; empty: not
};

/// `gasoline publish NAME DATA`: publishes events and prints the answers of the engine. Answers the
/// exit code of the program.
int run_publish(const settings& config, const publish_options& options);

} // namespace gasoline
