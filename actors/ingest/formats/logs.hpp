#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /logs`: entries of a console, uncaught errors, findings of the browser, and web vitals,
/// which become measurements of a page load.
extern const ingest_format logs_format;

} // namespace gasoline
