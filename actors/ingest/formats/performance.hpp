#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// A web vital among log entries: `{"type":"vital","name":"CLS","value":0.1,…}`; nothing: the entry
/// is none.
std::optional<raw_event> vital_entry(const simdjson::dom::element& entry,
                                     const decode_context& context);

} // namespace gasoline
