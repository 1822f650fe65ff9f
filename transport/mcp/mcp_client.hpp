#pragma once

#include "config/limits.hpp"
#include "messages/mcp/mcp.hpp"
#include "messages/mcp/rpc.hpp"
#include "transport/http/http_router.hpp"
#include "transport/http/http_writer.hpp"
#include "transport/http/traffic/answer_clock.hpp"
#include "transport/mcp/client_link.hpp"
#include "transport/mcp/waiting_messages.hpp"
#include "transport/sse/event_store.hpp"
#include "transport/sse/sse_response.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What all clients of one MCP endpoint share. Used on the io thread only.
struct mcp_service {
  std::shared_ptr<const engine_gate> gate;
  std::shared_ptr<sse_keepalive> keepalive;
  std::shared_ptr<answer_clock> late_answers;
  std::shared_ptr<event_totals> stored = std::make_shared<event_totals>(); ///< by all clients
  limits_of<client_room, mcp_room> limit;
  std::uint64_t messages_dropped = 0; ///< nobody was there to get them, or too many waited
};

/// What the answer to one POST may be.
enum class answer_form : std::uint8_t {
  json,   ///< the response alone, as `application/json`
  any,    ///< the same if it comes soon and alone, else Server-Sent Events
  primed, ///< the same, with a priming event first (2025-11-25)
};

/// Whether unsolicited messages can reach a client: those with a session may open a stream for
/// them.
enum class push_policy : std::uint8_t { by_stream, never };

/// One POST that holds a request.
struct mcp_post {
  rpc_frame frame;
  http_reply reply;
  http_watch watch;
  mcp_era era = mcp_era::legacy;
  answer_form form = answer_form::any;
  bool opens_session = false; ///< its answer tells the session id
};

/// One MCP client on the HTTP side: its POSTs that are not answered yet, its stream of unsolicited
/// messages, and what it may ask for again (Streamable HTTP). Used on the io thread only.
class mcp_client : public message_sink, public std::enable_shared_from_this<mcp_client> {
 public:
  using clock = std::chrono::steady_clock;

  /// `id` names the session, or is the identity of a client without one.
  mcp_client(std::shared_ptr<mcp_service> service, std::string id, push_policy policy);

  /// Joins the engine; `ended` is called when the engine's side has ended.
  void start(client_origin origin, std::function<void(mcp_client&)> ended);

  /// Hands a request over; it is answered later.
  void post(mcp_post request);

  /// Hands over notifications and responses; the answer leaves when they have been handled.
  void notify(rpc_frame frame, http_reply reply, http_response answer);

  /// Answers with the stream of unsolicited messages, which ends an older one; with `last_event_id`
  /// with what that event's stream has sent since.
  void open_stream(const http_reply& reply, const std::optional<std::string>& last_event_id,
                   answer_form form);

  /// The client has gone for good. What it asked is still answered.
  void end();

  const std::string& id() const { return id_; }

  /// When it last did something; now while a stream or a request is open.
  clock::time_point last_used() const;

  void on_message(const outgoing_ptr& message) override;
  void on_ended() override;

 private:
  enum class stage : std::uint8_t {
    asked,   ///< nothing of the answer has left
    opening, ///< it will be a stream, which is not there yet
    open,    ///< the stream takes messages
    away     ///< the stream has ended early; the client may come back for the rest
  };

  struct exchange {
    exchange_id id = 0;
    mcp_era era = mcp_era::legacy;
    answer_form form = answer_form::any;
    bool opens_session = false;
    bool batch = false;      // came as a JSON array
    bool complete = false;   // nothing more will come
    bool ends_early = false; // as soon as the stream is there
    stage at = stage::asked;
    http_reply reply;             // while asked
    std::vector<sse_text> unsent; // while opening
    sse_response_ptr stream;      // while open
  };

  void on_exchange_message(exchange& e, const outgoing& message);
  void on_last_message(exchange& e, const outgoing& message);
  void answer_json(exchange& e, const outgoing& message);
  void answer_nothing(exchange& e);
  void begin_stream(exchange& e);
  void on_late(exchange_id id);
  void send_message(exchange& e, const std::string& text);
  void send_event(exchange& e, const sse_text& frame);
  void close_early(exchange& e);
  void on_exchange_stream(exchange_id id, http_stream_ptr out);
  void on_stream_closed(exchange_id id, const sse_response* stream);
  void on_exchange_closed(exchange_id id);
  void finish(exchange& e);
  std::string session_header(const exchange& e) const;

  void push(const rpc_text& text);
  void keep_waiting(const rpc_text& text);
  void tell_missed(const std::optional<event_id>& after);
  void on_push_stream(http_stream_ptr out, const std::optional<event_id>& after, answer_form form);
  void on_push_closed(const sse_response* stream);
  void tell_congestion();
  void on_resumed(const event_id& last, http_stream_ptr out);
  void adopt_stream(exchange& e, http_stream_ptr out, const std::vector<sse_text>& events);
  http_response stream_response(std::function<void(mcp_client&, http_stream_ptr)> open,
                                std::function<void(mcp_client&)> lost);
  void touch() { last_used_ = clock::now(); }

  std::shared_ptr<mcp_service> service_;
  const std::string id_;
  const push_policy policy_;
  std::shared_ptr<client_link> link_;
  std::function<void(mcp_client&)> ended_;
  std::map<exchange_id, exchange> exchanges_;
  exchange_id last_exchange_ = 0;
  event_store store_;
  sse_response_ptr push_;
  waiting_messages waiting_; // unsolicited messages while there is no stream for them
  bool closing_ = false;
  clock::time_point last_used_;
};

} // namespace gasoline
