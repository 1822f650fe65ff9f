#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"
#include "actors/ingest/formats/otlp/otlp_protobuf.hpp"

#include <array>
#include <string>
#include <string_view>

namespace gasoline {

/// How protobuf is named; the second is an old alias.
inline constexpr std::array<std::string_view, 2> otlp_types{"application/x-protobuf",
                                                            "application/protobuf"};

/// Decodes a body of that signal, in the encoding that its content type names.
result_or<decoded_body> decode_otlp(otlp_signal signal, std::string& body,
                                    const decode_context& context);

/// The answer to an export request in the encoding of the request: empty when all was taken, else
/// what was refused, with the reason.
ingest_answer answer_otlp(otlp_signal signal, const decoded_body& body, const ingest_head& head);

/// A refusal as `google.rpc.Status`, in the encoding of the request.
ingest_answer refuse_otlp(std::uint16_t status, std::string_view sentence, const ingest_head& head);

} // namespace gasoline
