#include "actors/ingest/decoding/entry_list.hpp"
#include "actors/ingest/formats/format_table.hpp"

namespace gasoline {
namespace {

constexpr key_slot action_keys[] = {
    {"ts", slot::time}, {"timestamp", slot::time},       {"type", slot::name},
    {"url", slot::url}, {"duration_ms", slot::duration},
};

std::optional<std::string> finish_action(entry_draft& draft) {
  if (draft.event.name.empty())
    return "an action needs a `type`, such as click";
  return std::nullopt;
}

constexpr entry_shape action_shape{telemetry_kind::action, "actions", action_keys, finish_action};

result_or<decoded_body> decode_actions(std::string& body, const decode_context& context) {
  return decode_entries(action_shape, body, context);
}

} // namespace

/// `POST /enhanced-actions`: what a user did.
constinit const ingest_format actions_format{
    .route = {"actions", "/enhanced-actions", &http_room::http_limits::body_bytes},
    .decode = decode_actions,
    .answer = answer_entries,
    .recorded = recorded_form{telemetry_kind::action, "actions"},
    .shed_sentence = {},
};

} // namespace gasoline
