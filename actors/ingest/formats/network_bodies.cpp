#include "actors/ingest/decoding/entry_list.hpp"
#include "actors/ingest/formats/format_table.hpp"

namespace gasoline {
namespace {

constexpr key_slot body_keys[] = {
    {"ts", slot::time},       {"timestamp", slot::time},         {"url", slot::url},
    {"method", slot::name},   {"status", slot::status},          {"duration", slot::duration},
    {"error", slot::message}, {"duration_ms", slot::duration},   {"page", slot::page},
    {"page_url", slot::page}, {"_aggregatedCount", slot::count}, {"echo", slot::echo},
};

std::optional<std::string> finish_body(entry_draft& draft) {
  if (draft.event.url.empty() && draft.event.fields.find("\"name\":") == std::string::npos)
    return "a network entry needs a `url`";
  return std::nullopt;
}

constexpr entry_shape body_shape{telemetry_kind::body, "bodies", body_keys, finish_body};

result_or<decoded_body> decode_bodies(std::string& body, const decode_context& context) {
  return decode_entries(body_shape, body, context);
}

} // namespace

/// `POST /network-bodies`: requests with what was sent and answered.
constinit const ingest_format network_bodies_format{
    .route = {"network_bodies", "/network-bodies", &http_room::http_limits::body_bytes},
    .decode = decode_bodies,
    .answer = answer_entries,
    .recorded = recorded_form{telemetry_kind::body, "bodies"},
    .shed_sentence = "Network bodies are refused while memory pressure is hard; send them again "
                     "later or without bodies.",
};

} // namespace gasoline
