#pragma once

#include "actors/agents/providers/streamed_answer.hpp"
#include "config/settings.hpp"
#include "messages/agents/http_fetch.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace gasoline {

/// A provider that is asked over the network.
struct provider_row {
  std::string_view name;
  std::string_view key_variable; ///< of the environment
  std::string_view home;         ///< base URL of the service itself, which wants a key
  provider_settings session_settings::*settings;
  fetch_request (*request)(const model_call&, const provider_settings&, std::string_view key,
                           const limits_of<ingest_room, session_room>&);
  std::unique_ptr<streamed_answer> (*stream)(const model_call&,
                                             const limits_of<ingest_room, session_room>&);
};

/// Every provider.
std::span<const provider_row> provider_table();

/// The row of that name; null: there is none.
const provider_row* find_provider(std::string_view name);

/// All their names, comma-separated.
std::string provider_names();

} // namespace gasoline
