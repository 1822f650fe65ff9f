#pragma once

#include "actors/browser/entries/console_entries.hpp"

#include <simdjson.h>

#include <string>

namespace gasoline {

/// What `Audits.issueAdded` says as an entry of the format `logs`: mixed content and cookies.
/// Empty: nothing that is told, or what is told otherwise: why CORS refused a request comes with
/// the request, what a policy blocks from the page, deprecations from the console.
std::string issue_entry(const simdjson::dom::element& event, const entry_place& place,
                        const std::string& now);

} // namespace gasoline
