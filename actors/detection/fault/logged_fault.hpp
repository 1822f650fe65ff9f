#pragma once

#include "messages/telemetry/event.hpp"

namespace gasoline {

/// What a log entry tells that nobody threw into the window.
enum class logged_fault : std::uint8_t {
  none,      ///< a line of text
  build,     ///< a build or a hot update failed
  error,     ///< an error that a framework caught, or that the page logged with its stack
  report,    ///< a framework's remark about an error that was told as well
  hydration, ///< the server's page and the client's differ
  graphql    ///< errors in a GraphQL answer
};

/// Reads marks and text of a console entry of level error, or of an exception. Looks at the first
/// 512 bytes of the message only.
logged_fault logged_fault_in(const event& e);

/// What a build failure says, without the tool's own name in front: its file and its reason.
redacted_text build_reason(const event& e);

/// The same without the file, so that all of a tool's ways to tell of one failure agree.
redacted_text build_complaint(const event& e);

/// The file that did not build, without its position; empty when none is named.
redacted_text build_file(const event& e);

} // namespace gasoline
