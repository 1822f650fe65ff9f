#pragma once

#include "messages/telemetry/event.hpp"

namespace gasoline::test {

/// An uncaught error as the page script sends it.
inline event exception_event(literal message, literal stack) {
  event e;
  e.kind = telemetry_kind::log;
  e.level = log_level::error;
  e.type = entry_type::exception;
  e.message = message;
  e.stack = stack;
  return e;
}

/// A console entry.
inline event console_event(log_level level, literal message) {
  event e;
  e.kind = telemetry_kind::log;
  e.level = level;
  e.type = entry_type::console;
  e.message = message;
  return e;
}

/// A finished request with its body.
inline event request_event(literal method, literal url, std::int32_t status) {
  event e;
  e.kind = telemetry_kind::body;
  e.name = method;
  e.url = url;
  e.status = status;
  return e;
}

/// A WebSocket that closed.
inline event close_event(literal url, std::int32_t code) {
  event e;
  e.kind = telemetry_kind::socket;
  e.name = literal{"close"};
  e.url = url;
  e.status = code;
  return e;
}

} // namespace gasoline::test
