#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// What a Sentry SDK expects to read: the id of the event that it sent.
ingest_answer answer_sentry(const decoded_body& body, const ingest_head& head);

/// A refusal as a Sentry server words it.
ingest_answer refuse_sentry(std::uint16_t status, std::string_view sentence,
                            const ingest_head& head);

} // namespace gasoline
