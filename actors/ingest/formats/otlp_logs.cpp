#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/otlp/otlp_answer.hpp"

namespace gasoline {

/// `POST /v1/logs`, OTLP in protobuf and JSON: records of a log; those of level error and
/// exceptions become errors.
constinit const ingest_format otlp_logs_format{
    .route = {.format = "otlp_logs",
              .path = "/v1/logs",
              .body_bytes = &http_room::http_limits::body_bytes,
              .more_types = otlp_types,
              .refusal = refuse_otlp},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_otlp(otlp_signal::logs, body, context);
        },
    .answer = [](const decoded_body& body,
                 const ingest_head& head) { return answer_otlp(otlp_signal::logs, body, head); },
    .recorded = {},
    .shed_sentence = {},
};

} // namespace gasoline
