#pragma once

#include "config/settings.hpp"
#include "messages/base/file_descriptor.hpp"
#include "tools/engine/engine_lock.hpp"

#include <optional>
#include <string>

namespace gasoline {

/// How a live engine is used.
enum class engine_mode {
  stdio,    ///< serves the client on stdin and stdout, ends with its last client
  takeover, ///< goes on for an engine that has died, ends with its last client
  serve     ///< runs until it is told to end
};

/// One run of an engine in this process.
struct engine_run {
  engine_mode mode = engine_mode::stdio;
  std::optional<engine_lock> lock; ///< none: works alone, without attach socket and port file
  std::string alone_because;       ///< what the user is told when there is no lock
  file_descriptor http_socket;     ///< listens already; none: the port of the settings is bound
};

/// Runs one engine until its end. Answers the exit code of the program: 0 when it was told to end
/// or its last client has left, 1 when it could not begin, something in it has failed, or the end
/// of a daemon was cut short.
int run_engine(settings config, engine_run run);

} // namespace gasoline
