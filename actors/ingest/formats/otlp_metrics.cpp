#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/otlp/otlp_answer.hpp"

namespace gasoline {

/// `POST /v1/metrics`, OTLP in protobuf and JSON: counted, and answered.
constinit const ingest_format otlp_metrics_format{
    .route = {.format = "otlp_metrics",
              .path = "/v1/metrics",
              .body_bytes = &http_room::http_limits::body_bytes,
              .more_types = otlp_types,
              .refusal = refuse_otlp},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_otlp(otlp_signal::metrics, body, context);
        },
    .answer = [](const decoded_body& body,
                 const ingest_head& head) { return answer_otlp(otlp_signal::metrics, body, head); },
    .recorded = {},
    .shed_sentence = {},
};

} // namespace gasoline
