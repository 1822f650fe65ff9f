#pragma once

#include "config/settings.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace gasoline {

/// One request to the engine that runs for these settings.
struct engine_request {
  std::string method{"GET"};
  std::string target;
  std::string body;                     ///< JSON; empty: none
  std::string last_id;                  ///< `Last-Event-ID`; empty: none
  std::chrono::milliseconds timeout{0}; ///< for the whole exchange; 0: none
};

/// What the engine answered.
struct engine_response {
  unsigned status = 0;
  std::string body;
  std::chrono::seconds retry_after{0}; ///< `Retry-After`; 0: none
};

/// Finds the engine by the port file of the state directory, sends the request and reads the whole
/// response. The error says that no engine runs, or what went wrong.
result_or<engine_response> call_engine(const settings& config, const engine_request& request);

/// The same for a response that goes on: `take` gets the pieces of a body of status 200 as they
/// come, until it answers false, the engine ends the response, or the connection breaks. The body
/// of another status is in the answer.
result_or<engine_response> follow_engine(const settings& config, const engine_request& request,
                                         const std::function<bool(std::string_view)>& take);

/// Where the engine of these settings listens, by its port file. The error says that none runs.
result_or<boost::asio::ip::tcp::endpoint> engine_endpoint(const settings& config);

/// The token of these settings, for whoever holds the other end of this connection: it is shown
/// only where the kernel says that a program of the same user listens. Empty: there is no token.
/// The error says that it is not shown.
result_or<std::string> engine_token(const settings& config,
                                    const boost::asio::ip::tcp::socket& connection);

/// What a refusal of the engine says, as a sentence.
std::string refusal_sentence(const engine_response& response);

} // namespace gasoline
