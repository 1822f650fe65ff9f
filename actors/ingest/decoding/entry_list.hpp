#pragma once

#include "actors/ingest/decoding/entry_reader.hpp"
#include "actors/ingest/decoding/ingest_format.hpp"

#include <optional>

namespace gasoline {

/// Takes an entry that belongs to another kind than the list; nothing: it does not.
using stray_entry = std::optional<raw_event> (*)(const simdjson::dom::element& entry,
                                                 const decode_context& context);

/// Decodes a list of entries: `{LIST:[…]}` or a bare array. A bad entry is refused with its index
/// and the others are kept. What `stray` takes comes after all entries of the list's own kind.
result_or<decoded_body> decode_entries(const entry_shape& shape, std::string& body,
                                       const decode_context& context, stray_entry stray = nullptr);

/// How many entries were taken, and why others were not: `{"status":"ok","count":N}`.
ingest_answer answer_entries(const decoded_body& body, const ingest_head& head);

/// `errors` of an answer: which entries were refused, and why, as a JSON array.
std::string refused_entries_json(const decoded_body& body);

} // namespace gasoline
