#pragma once

#include "actors/agents/providers/provider_table.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "messages/agents/session_actors.hpp"

#include <memory>
#include <optional>
#include <string>

namespace gasoline {

/// What a model call over the network works with.
struct model_provider_setup {
  const provider_row* provider = nullptr;
  provider_settings where;
  std::string key; ///< empty: none is sent
  model_call_ptr call;
  turn_actor turn; ///< is told the chunks
  std::shared_ptr<http_fetcher> http;
  std::shared_ptr<const redaction_engine> redaction; ///< of what a server says of errors
  wall_clock clock;                                  ///< `retry-after` can be a date
  limits_of<ingest_room, session_room> limit;
};

struct model_provider_state {
  static inline const char* name = "model_provider";

  std::optional<model_provider_setup> setup;
  std::shared_ptr<http_fetch> fetch;
  std::unique_ptr<streamed_answer> stream; ///< null: the answer is no event stream
  fetch_head head;
  std::string body;         ///< of an answer that is no event stream, up to a cap
  bool is_document = false; ///< the answer comes as JSON
  bool lingers = false;     ///< complete, it waits for what may come after it
};

/// One model call over the network: sends the request, turns the answer into chunks, ends.
provider_actor model_provider(caf::actor_system& system, model_provider_setup setup);

} // namespace gasoline
