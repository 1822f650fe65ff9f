#include "messages/agents/session_actors.hpp"

namespace gasoline {

session_answer session_error(session_status status, std::string_view code, std::string message) {
  return {status, {{"error", {{"code", code}, {"message", std::move(message)}}}}};
}

} // namespace gasoline
