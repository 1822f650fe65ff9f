#pragma once

#include "config/limits.hpp"
#include "messages/base/encoding/inflated_body.hpp"
#include "transport/http/http_stream.hpp"
#include "transport/http/rights/bearer_gate.hpp"
#include "transport/http/rights/http_rights.hpp"
#include "transport/http/rights/page_links.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

struct http_takeover;

/// The head of one request, as far as routing looks at it. The texts belong to the caller and must
/// outlive whatever is done with the view.
struct http_request_view {
  std::string_view method;
  std::string_view target;
  bool http_1_0 = false; ///< the older version needs no `Host`
  std::optional<std::string_view> host;
  std::optional<std::string_view> origin;
  std::string_view content_type;
  std::string_view content_encoding;
  std::string_view transfer_encoding;
  std::string_view expect;
  std::string_view if_none_match;
  std::string_view request_private_network; ///< `Access-Control-Request-Private-Network`
  peer_user user = peer_user::own;          ///< whose program the client is
  std::vector<std::pair<std::string_view, std::string_view>> fields; ///< all headers, as received
  std::string_view repeated; ///< name of a header above that came twice; empty: none did

  /// The first header of that name (in any case) without surrounding blanks.
  std::optional<std::string_view> field(std::string_view name) const;

  /// How many headers have that name.
  std::size_t count(std::string_view name) const;
};

/// The media type of a `Content-Type`, in lower case and without its parameters.
std::string bare_media_type(std::string_view content_type);

/// One complete response. `Content-Length`, CORS and connection headers are added when it is
/// written.
struct http_response {
  std::uint16_t status = 200;
  std::string content_type = "application/json"; ///< left out when the body is empty
  std::string body;
  std::string cache_control = "no-store";
  std::string headers;                   ///< further header lines, each ended by CR LF
  std::uint32_t retry_after_seconds = 0; ///< 0: no `Retry-After`
  /// Set: `body` is only the beginning; the head leaves with chunked coding, then this is called on
  /// the io thread with the stream that takes the rest.
  std::function<void(http_stream_ptr)> stream;
  /// Set, with status 101: called on the io thread with the socket once the head has been sent.
  std::function<void(http_takeover&)> takeover;
};

/// An error as every route answers it: `{"error":"sentence"}`.
http_response http_error(std::uint16_t status, std::string_view sentence);

/// Makes the connection watch its client while the route has the request: the handler is called
/// once, on the io thread, if the client goes before it was answered. Does nothing where there is
/// no connection.
using http_watch = std::function<void(std::function<void()> gone)>;

/// One request that passed all checks. The views live until the handler returns.
struct http_call {
  const http_request_view& head;
  std::string_view path;      ///< decoded where the encoding was needless
  std::string_view query;     ///< without `?`, as received
  std::string body;           ///< after decompression
  bool may_use;               ///< the caller has the right `use`, whatever the route asks for
  bool is_owner;              ///< shows the token, or is a page that came by a link
  http_watch watch;           ///< valid as long as the reply; io thread only
  std::string_view pattern{}; ///< the path of the row

  /// The segment that stands for `{name}` in the row, decoded; empty when it cannot be decoded.
  std::string parameter(std::string_view name) const;
};

/// Takes the response: called once, from any thread. When all copies are dropped uncalled, a
/// connection answers 503.
using http_reply = std::function<void(http_response)>;
using http_handler = std::function<void(http_call, http_reply)>;

/// Where a caller may show the token that every request needs.
enum class token_place : std::uint8_t {
  header,
  query_too ///< what pages load, send to and follow: a script tag has no headers to set
};

/// Where the page script is loaded from.
inline constexpr std::string_view page_script_path = "/gasoline.js";

/// One row of the route table.
struct http_route {
  std::string method;         ///< `GET` also serves `HEAD`
  std::string path;           ///< `/a/{name}`; `/a/*` and `*/a` take what no other row does
  std::uint64_t body_cap = 0; ///< bytes as sent; 0: takes no body, else JSON with any coding
  http_handler handle;
  http_right right = http_right::use; ///< what the caller must have
  token_place token = token_place::header;
  std::span<const std::string_view> more_types{}; ///< media types taken beside JSON; `*`: any
  /// Writes the refusal of a body in the words of whoever sends it; null: as `http_error`.
  std::function<http_response(std::uint16_t status, std::string_view sentence,
                              const http_request_view& head)>
      refusal{};
};

/// A refusal of a body as its route words it.
http_response body_refusal(const http_route& route, const http_request_view& head,
                           std::uint16_t status, std::string_view sentence);

/// Who may call. Empty texts: no such token.
struct http_access {
  std::string token{};                       ///< what every request must carry
  std::string owner_token{};                 ///< who shows this has every right
  origin_settings origins{};                 ///< which other pages may call
  std::shared_ptr<const page_links> links{}; ///< who has come by a link; null: nobody can
};

/// What the head of a request leads to: an answer at once, or a route that takes the body.
struct http_plan {
  std::optional<http_response> answer;   ///< refusal or preflight; the body is not looked at
  std::optional<refused_caller> refused; ///< set when the answer is that this caller may not
  const http_route* route = nullptr;     ///< set when there is no answer yet
  content_coding coding = content_coding::identity;
  bool may_use = false;            ///< the caller has the right `use`
  bool is_owner = false;           ///< shows the token, or is a page that came by a link
  std::string_view allowed_origin; ///< echoed to the client; empty: no CORS headers
  std::string path;
  std::string_view query;
};

/// Decides what each request gets: Host and Origin policy, CORS, the route table, content types and
/// codings, body caps. Knows no sockets, so that replays under virtual
/// time take the same way. Never changes after the last `add`.
class http_router {
 public:
  http_router(http_access access, const limits_of<http_room>& limit);

  /// Adds a row. Earlier rows win, but for those with a `*`.
  void add(http_route route);

  /// Adds rows in their order.
  void add_all(std::vector<http_route> routes);

  /// Looks at the head alone, before any byte of the body has been read.
  http_plan plan(const http_request_view& head) const;

  /// The answer to a body over the cap of that route.
  http_response body_too_large(const http_route& route, const http_request_view& head) const;

  /// The answer to a body whose content coding could not be undone; nothing: it could.
  std::optional<http_response> inflate_refusal(const http_plan& plan, const http_request_view& head,
                                               inflate_status how) const;

  /// Calls the route with a body as it is without its content coding. A handler that throws drops
  /// the reply.
  void serve(const http_plan& plan, const http_request_view& head, std::string body,
             http_reply reply, http_watch watch) const;

  /// All of the above for a request whose body is there already.
  void handle(const http_request_view& head, std::string body, const http_reply& reply) const;

 private:
  std::optional<http_response> refuse_head(const http_request_view& head, http_plan& plan) const;
  std::optional<http_response> refuse_without_token(const http_request_view& head,
                                                    const http_plan& plan) const;
  std::optional<http_response> refuse_without_right(const http_request_view& head, http_right right,
                                                    http_plan& plan) const;
  bool takes_token_in_query(std::string_view path) const;
  http_caller caller_of(const http_request_view& head) const;
  bool is_own_page(const http_request_view& head) const;
  std::optional<http_response> refuse_body(const http_request_view& head, http_plan& plan) const;
  const http_route* find(std::string_view method, std::string_view path) const;
  std::string methods_of(std::string_view path) const;
  http_response no_route(std::string_view method, std::string_view path) const;
  http_response preflight(const http_request_view& head, std::string_view path) const;

  limits_of<http_room> limit_;
  bearer_gate gate_;
  bearer_gate owner_;
  http_rights rights_;
  std::shared_ptr<const page_links> links_;
  std::vector<http_route> table_;
};

/// Whether the connection lives on after a response.
enum class connection_fate : std::uint8_t { keep, close };

/// How the end of a body is told.
enum class body_framing : std::uint8_t {
  sized,       ///< by `Content-Length`
  chunked,     ///< by the last chunk (RFC 9112, section 7.1)
  until_close, ///< by the end of the connection, for HTTP/1.0
  upgraded     ///< there is none: the connection changes its protocol
};

/// The status line and all headers of a response, up to and with the empty line.
std::string render_head(const http_response& response, std::string_view allowed_origin,
                        connection_fate fate, body_framing framing = body_framing::sized);

} // namespace gasoline
