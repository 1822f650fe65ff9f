#include "actors/agents/turn/open_event_cost.hpp"

#include <algorithm>
#include <string_view>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::uint64_t envelope_bytes = 1024; // the event, its ids, and what its frame says of it
constexpr std::uint64_t scalar_bytes = 24;
constexpr std::uint64_t between_bytes = 4; // quotes, colon, comma

/// Of a text within JSON, where a control character takes six bytes.
std::uint64_t quoted_size(std::string_view text) {
  const auto controls = std::count_if(text.begin(), text.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  const auto escaped =
      std::count_if(text.begin(), text.end(), [](char c) { return c == '"' || c == '\\'; });
  return text.size() + 5 * static_cast<std::uint64_t>(controls) +
         static_cast<std::uint64_t>(escaped) + between_bytes;
}

std::uint64_t written_size(const json& value) {
  if (value.is_string())
    return quoted_size(value.get_ref<const std::string&>());
  if (!value.is_structured())
    return scalar_bytes;
  std::uint64_t out = between_bytes;
  for (auto it = value.begin(); it != value.end(); ++it)
    out += written_size(*it) + (value.is_object() ? quoted_size(it.key()) : 1);
  return out;
}

} // namespace

std::uint64_t open_event_cost(const event_draft& draft) {
  // Names that agents give stand in the event and in its frame.
  const auto names = draft.actor.size() + draft.turn_id.text().size();
  return envelope_bytes + 2 * names + written_size(draft.payload);
}

} // namespace gasoline
