#include "actors/ingest/decoding/entry_list.hpp"
#include "actors/ingest/formats/format_table.hpp"

namespace gasoline {
namespace {

constexpr key_slot timing_keys[] = {
    {"ts", slot::time},       {"timestamp", slot::time},    {"url", slot::url},
    {"status", slot::status}, {"duration", slot::duration}, {"page_url", slot::page},
    {"method", slot::name},
};

std::optional<std::string> finish_timing(entry_draft& draft) {
  if (draft.event.url.empty() && draft.event.fields.find("\"name\":") == std::string::npos)
    return "a network entry needs a `url`";
  return std::nullopt;
}

constexpr entry_shape timing_shape{telemetry_kind::request, "entries", timing_keys, finish_timing};

result_or<decoded_body> decode_timings(std::string& body, const decode_context& context) {
  return decode_entries(timing_shape, body, context);
}

} // namespace

/// `POST /network-waterfall`: timings of requests.
constinit const ingest_format network_waterfall_format{
    .route = {"network_waterfall", "/network-waterfall", &http_room::http_limits::body_bytes},
    .decode = decode_timings,
    .answer = answer_entries,
    .recorded = recorded_form{telemetry_kind::request, "entries"},
    .shed_sentence = {},
};

} // namespace gasoline
