#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/otlp/otlp_answer.hpp"

namespace gasoline {

/// `POST /v1/traces`, OTLP in protobuf and JSON: spans: those that failed become errors, those of
/// servers requests.
constinit const ingest_format otlp_traces_format{
    .route = {.format = "otlp_traces",
              .path = "/v1/traces",
              .body_bytes = &http_room::http_limits::body_bytes,
              .more_types = otlp_types,
              .refusal = refuse_otlp},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_otlp(otlp_signal::traces, body, context);
        },
    .answer = [](const decoded_body& body,
                 const ingest_head& head) { return answer_otlp(otlp_signal::traces, body, head); },
    .recorded = {},
    .shed_sentence = {},
};

} // namespace gasoline
