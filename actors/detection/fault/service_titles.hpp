#pragma once

#include "config/limits.hpp"
#include "messages/telemetry/event.hpp"

namespace gasoline {

// Titles of alerts about what a service tells of itself, through OpenTelemetry: they name the
// service, and the place in its own code.

/// Whether a service tells of itself here.
bool is_of_service(const event& e);

/// `checkout-api: relation "orders" does not exist, at orders.py:88`.
redacted_text service_error_title(const event& e, const limits_of<alert_room>& limit);

/// `500 from checkout-api: relation "orders" does not exist, at orders.py:88 (GET /orders)`; the
/// words are those of the request.
redacted_text service_request_title(const event& e, const redacted_text& words,
                                    const limits_of<alert_room>& limit);

/// The key of a fault within its service; of others as it is.
redacted_text service_key(const event& e, const redacted_text& key,
                          const limits_of<alert_room>& limit);

} // namespace gasoline
