#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// What browsers report of a page by themselves: the Reporting API's lists and the older reports of
/// content security policies.
extern const ingest_format browser_reports_format;

} // namespace gasoline
