#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace gasoline {

#define FORMAT(name) extern const ingest_format name##_format;
#include "actors/ingest/formats/formats.def"
#undef FORMAT

/// All wire formats.
std::span<const ingest_format* const> ingest_formats();

/// The format of that name; null: there is none.
const ingest_format* find_format(std::string_view name);

/// The format that recordings hold events of that kind in.
const ingest_format& format_recording(telemetry_kind kind);

/// The routes of all formats, in their order.
std::vector<ingest_route> ingest_routes();

} // namespace gasoline
