#include "transport/http/http_router.hpp"

#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/letters.hpp"
#include "messages/base/own_log.hpp"
#include "transport/http/head/header_text.hpp"
#include "transport/http/rights/http_origin.hpp"
#include "transport/http/route_pattern.hpp"

#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view preflight_methods = "GET, HEAD, POST, DELETE, OPTIONS";
constexpr std::string_view preflight_headers =
    "Content-Type, Content-Encoding, X-Sentry-Auth, X-Gasoline-Client, "
    "X-Gasoline-Extension-Version, "
    "X-Kaboom-Client, X-Kaboom-Extension-Version, Authorization, Mcp-Session-Id, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, X-Gasoline-Session-Key, "
    "X-Gasoline-Stream-Key";
constexpr std::string_view exposed_headers = "Retry-After, Mcp-Session-Id";
constexpr std::string_view preflight_seconds = "600";

constexpr std::array<std::string_view, 3> json_types{"", "application/json", "text/plain"};

bool holds_type(std::span<const std::string_view> types, std::string_view type) {
  return std::any_of(types.begin(), types.end(),
                     [&](std::string_view known) { return known == type || known == "*"; });
}

/// ` or a, b` after the types that every route takes.
std::string more_types_words(std::span<const std::string_view> types) {
  std::string out;
  for (const auto type : types)
    out.append(out.empty() ? ", or " : ", ").append(type);
  return out;
}

// Targets

struct target_parts {
  std::optional<std::string_view> authority; ///< of an absolute target
  std::string_view path;
  std::string_view query;
};

bool starts_with_scheme(std::string_view target, std::string_view scheme) {
  return target.size() >= scheme.size() &&
         ascii::same_letters(target.substr(0, scheme.size()), scheme);
}

target_parts split_target(std::string_view target) {
  target_parts out;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!starts_with_scheme(target, scheme))
      continue;
    target.remove_prefix(scheme.size());
    const auto end = std::min(target.find_first_of("/?"), target.size());
    out.authority = target.substr(0, end);
    target.remove_prefix(end);
    if (target.empty() || target.front() == '?')
      out.path = "/";
    break;
  }
  const auto question = target.find('?');
  if (out.path.empty())
    out.path = target.substr(0, question);
  if (question != std::string_view::npos)
    out.query = target.substr(question + 1);
  return out;
}

/// Decodes what RFC 3986 section 2.3 calls equivalent; the rest stays encoded, so that no encoded
/// slash, dot segment or NUL ever takes part in matching. Nothing when an escape is broken.
std::optional<std::string> normalised_path(std::string_view path) {
  std::string out;
  out.reserve(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      out += path[i];
      continue;
    }
    if (!is_percent_escape(path, i))
      return std::nullopt;
    const char c = percent_escape_byte(path, i);
    if (is_unreserved(c))
      out += c;
    else
      out += path.substr(i, 3);
    i += 2;
  }
  return out;
}

/// What the browser says of who asks; a header that came twice says nothing good.
std::string_view fetch_site_of(const http_request_view& head) {
  constexpr std::string_view name = "Sec-Fetch-Site";
  return head.count(name) > 1 ? "several" : head.field(name).value_or("");
}

} // namespace

std::string bare_media_type(std::string_view content_type) {
  std::string out{trimmed(content_type.substr(0, content_type.find(';')))};
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::optional<std::string_view> http_request_view::field(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& row) {
    return ascii::same_letters(row.first, name);
  });
  if (found == fields.end())
    return std::nullopt;
  return trimmed(found->second);
}

std::size_t http_request_view::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(fields.begin(), fields.end(), [&](const auto& row) {
    return ascii::same_letters(row.first, name);
  }));
}

http_response http_error(std::uint16_t status, std::string_view sentence) {
  http_response out;
  out.status = status;
  json_object_writer(out.body).text("error", sentence).close();
  return out;
}

http_response body_refusal(const http_route& route, const http_request_view& head,
                           std::uint16_t status, std::string_view sentence) {
  auto out = route.refusal ? route.refusal(status, sentence, head) : http_error(status, sentence);
  out.status = status;
  return out;
}

std::string http_call::parameter(std::string_view name) const {
  return path_parameter(pattern, path, name).value_or("");
}

http_router::http_router(http_access access, const limits_of<http_room>& limit)
    : limit_(limit),
      gate_(std::move(access.token)),
      owner_(std::move(access.owner_token)),
      rights_(std::move(access.origins)),
      links_(std::move(access.links)) {}

void http_router::add(http_route route) {
  table_.push_back(std::move(route));
}

void http_router::add_all(std::vector<http_route> routes) {
  for (auto& route : routes)
    add(std::move(route));
}

http_plan http_router::plan(const http_request_view& head) const {
  http_plan out;
  out.answer = refuse_head(head, out);
  if (out.answer)
    return out;
  out.allowed_origin = head.origin.value_or(std::string_view());
  const target_parts target = split_target(head.target);
  auto path = normalised_path(target.path);
  const bool any_path = head.method == "OPTIONS" && target.path == "*";
  if (!any_path && (!path || path->empty() || path->front() != '/')) {
    out.answer = http_error(400, "The request target is not a path; send one such as /health.");
    return out;
  }
  out.path = std::move(*path);
  out.query = target.query;
  if (head.method == "OPTIONS") {
    out.answer = refuse_without_right(head, http_right::load, out);
    if (!out.answer)
      out.answer = preflight(head, out.path);
    return out;
  }
  out.answer = refuse_without_token(head, out);
  if (out.answer)
    return out;
  out.route = find(head.method, out.path);
  out.answer =
      refuse_without_right(head, out.route == nullptr ? http_right::send : out.route->right, out);
  if (!out.answer)
    out.answer = out.route == nullptr ? no_route(head.method, out.path) : refuse_body(head, out);
  return out;
}

std::optional<http_response> http_router::refuse_head(const http_request_view& head,
                                                      http_plan& plan) const {
  if (!head.repeated.empty())
    return http_error(400,
                      "The header " + std::string(head.repeated) + " came twice; send it once.");
  const auto target = split_target(head.target);
  const bool host_ok = head.host ? is_local_authority(*head.host) : head.http_1_0;
  if (!host_ok || (target.authority && !is_local_authority(*target.authority)))
    return http_error(403, "The host " + shown(target.authority.value_or(head.host.value_or(""))) +
                               " is refused; this server answers to localhost, 127.0.0.1 and "
                               "[::1] only. Use one of these in the URL.");
  if (head.origin && !rights_.knows(*head.origin)) {
    const auto refusal = rights_.refusal(http_right::load, caller_of(head));
    plan.refused = refusal->who;
    return http_error(403, refusal->sentence);
  }
  if (!head.transfer_encoding.empty() && !ascii::same_letters(head.transfer_encoding, "chunked"))
    return http_error(501, "The transfer encoding " + shown(head.transfer_encoding) +
                               " is not known; send chunked or a Content-Length.");
  if (!head.expect.empty() && !ascii::same_letters(head.expect, "100-continue"))
    return http_error(417, "The expectation " + shown(head.expect) +
                               " cannot be met; 100-continue is the only one known.");
  return std::nullopt;
}

http_caller http_router::caller_of(const http_request_view& head) const {
  const bool has_token = !owner_.is_open() && owner_.admits(head.field("Authorization"));
  return {head.origin, fetch_site_of(head), head.user, has_token, is_own_page(head)};
}

/// The cookie alone proves nothing: browsers send it to other ports of this machine as well.
bool http_router::is_own_page(const http_request_view& head) const {
  const auto cookies = head.field("Cookie");
  if (!links_ || !cookies || !head.host || fetch_site_of(head) != "same-origin" ||
      (head.origin && *head.origin != "http://" + std::string{*head.host}))
    return false;
  return links_->admits(*cookies, std::chrono::steady_clock::now());
}

/// What is no route is told to those only who may use the routes that there are.
std::optional<http_response> http_router::refuse_without_right(const http_request_view& head,
                                                               http_right right,
                                                               http_plan& plan) const {
  const auto caller = caller_of(head);
  const auto refusal = rights_.refusal(right, caller);
  plan.may_use = !rights_.refusal(http_right::use, caller);
  plan.is_owner = plan.may_use && (caller.has_token || caller.own_page);
  if (!refusal)
    return std::nullopt;
  plan.refused = refusal->who;
  return http_error(403, refusal->sentence);
}

std::optional<http_response> http_router::refuse_without_token(const http_request_view& head,
                                                               const http_plan& plan) const {
  if (gate_.admits(head.field("Authorization")) || is_own_page(head))
    return std::nullopt;
  if (takes_token_in_query(plan.path) && gate_.admits_query(plan.query))
    return std::nullopt;
  auto out = http_error(401, "This server asks for its token: send the header \"Authorization: "
                             "Bearer TOKEN\" with what stands in the token file; `gasoline doctor` "
                             "tells where that is.");
  out.headers = "WWW-Authenticate: Bearer\r\n";
  return out;
}

bool http_router::takes_token_in_query(std::string_view path) const {
  return std::any_of(table_.begin(), table_.end(), [&](const http_route& row) {
    return row.token == token_place::query_too && covers(row.path, path);
  });
}

std::optional<http_response> http_router::refuse_body(const http_request_view& head,
                                                      http_plan& plan) const {
  if (plan.route->body_cap == 0)
    return std::nullopt;
  const auto type = bare_media_type(head.content_type);
  if (!holds_type(json_types, type) && !holds_type(plan.route->more_types, type))
    return body_refusal(*plan.route, head, 415,
                        "The content type " + shown(head.content_type) +
                            " is not taken; send JSON as application/json or text/plain "
                            "(with curl: -H 'Content-Type: application/json')" +
                            more_types_words(plan.route->more_types) + ".");
  const auto coding = parse_content_coding(trimmed(head.content_encoding));
  if (!coding)
    return body_refusal(
        *plan.route, head, 415,
        "The content encoding " + shown(head.content_encoding) +
            " is not taken; send identity, gzip, deflate, br or zstd, one at a time.");
  plan.coding = *coding;
  return std::nullopt;
}

const http_route* http_router::find(std::string_view method, std::string_view path) const {
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  const http_route* open = nullptr;
  for (const http_route& row : table_) {
    if (row.method != wanted || !covers(row.path, path))
      continue;
    if (!is_open_pattern(row.path))
      return &row;
    if (open == nullptr)
      open = &row;
  }
  return open;
}

std::string http_router::methods_of(std::string_view path) const {
  std::vector<std::string_view> found;
  for (const http_route& row : table_)
    if (covers(row.path, path) && std::find(found.begin(), found.end(), row.method) == found.end())
      found.push_back(row.method);
  std::string out;
  for (const auto method : found)
    out.append(method).append(method == "GET" ? ", HEAD, " : ", ");
  return out.empty() ? out : out + "OPTIONS";
}

http_response http_router::no_route(std::string_view method, std::string_view path) const {
  const std::string methods = methods_of(path);
  if (!methods.empty()) {
    auto out = http_error(405, "The method " + shown(method) + " does not fit this route; use " +
                                   methods + ".");
    out.headers = "Allow: " + methods + "\r\n";
    return out;
  }
  std::string known;
  for (const http_route& row : table_)
    if (!row.path.starts_with('*'))
      known += (known.empty() ? "" : ", ") + row.method + ' ' + row.path;
  return http_error(404, "There is no such route; known are " + known + ".");
}

http_response http_router::preflight(const http_request_view& head, std::string_view path) const {
  http_response out;
  out.status = 204;
  std::string methods = methods_of(path);
  if (methods.empty())
    methods = preflight_methods;
  out.headers = "Allow: " + methods + "\r\n";
  if (!head.origin)
    return out;
  out.headers += "Access-Control-Allow-Methods: " + methods + "\r\n";
  out.headers.append("Access-Control-Allow-Headers: ").append(preflight_headers).append("\r\n");
  out.headers.append("Access-Control-Max-Age: ").append(preflight_seconds).append("\r\n");
  if (ascii::same_letters(head.request_private_network, "true"))
    out.headers += "Access-Control-Allow-Private-Network: true\r\n";
  return out;
}

http_response http_router::body_too_large(const http_route& route,
                                          const http_request_view& head) const {
  return body_refusal(route, head, 413,
                      "The body is larger than the " + std::to_string(route.body_cap) +
                          " bytes that " + route.path + " takes; send less at a time.");
}

std::optional<http_response> http_router::inflate_refusal(const http_plan& plan,
                                                          const http_request_view& head,
                                                          inflate_status how) const {
  if (how == inflate_status::too_large)
    return body_refusal(*plan.route, head, 413,
                        "The body inflates to more than " +
                            std::to_string(limit_.http.inflated_bytes) +
                            " bytes; send less at a time.");
  if (how == inflate_status::ill_formed)
    return body_refusal(*plan.route, head, 400,
                        "The body is no complete " + std::string(name_of(plan.coding)) +
                            " stream; compress it again or send it uncompressed.");
  return std::nullopt;
}

void http_router::serve(const http_plan& plan, const http_request_view& head, std::string body,
                        http_reply reply, http_watch watch) const {
  try {
    plan.route->handle({head, plan.path, plan.query, std::move(body), plan.may_use, plan.is_owner,
                        std::move(watch), plan.route->path},
                       std::move(reply));
  } catch (const std::exception& e) {
    own_log::debug("http: the handler of {} failed: {}", plan.route->path, e.what());
  }
}

void http_router::handle(const http_request_view& head, std::string body,
                         const http_reply& reply) const {
  http_plan made = plan(head);
  if (!made.answer && body.size() > made.route->body_cap && made.route->body_cap != 0)
    made.answer = body_too_large(*made.route, head);
  if (!made.answer && made.coding != content_coding::identity) {
    auto inflated = inflate_body(made.coding, body, limit_.http.inflated_bytes);
    made.answer = inflate_refusal(made, head, inflated.status);
    body = std::move(inflated.bytes);
  }
  if (made.answer)
    reply(std::move(*made.answer));
  else
    serve(made, head, std::move(body), reply, [](const std::function<void()>&) {});
}

std::string render_head(const http_response& response, std::string_view allowed_origin,
                        connection_fate fate, body_framing framing) {
  namespace http = boost::beast::http;
  std::string out;
  out.reserve(512);
  out.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  out.append(http::obsolete_reason(static_cast<http::status>(response.status))).append("\r\n");
  if (framing == body_framing::upgraded)
    return out.append(response.headers).append("Connection: Upgrade\r\n\r\n");
  if (!response.body.empty() || framing != body_framing::sized)
    out.append("Content-Type: ").append(response.content_type).append("\r\n");
  if (framing == body_framing::chunked)
    out.append("Transfer-Encoding: chunked\r\n");
  else if (framing == body_framing::sized && response.status != 204 && response.status != 304)
    out.append("Content-Length: ").append(std::to_string(response.body.size())).append("\r\n");
  out.append("Cache-Control: ").append(response.cache_control);
  out.append("\r\nX-Content-Type-Options: nosniff\r\nVary: Origin\r\n");
  if (!allowed_origin.empty()) {
    out.append("Access-Control-Allow-Origin: ").append(allowed_origin);
    out.append("\r\nAccess-Control-Expose-Headers: ").append(exposed_headers).append("\r\n");
  }
  if (response.retry_after_seconds != 0)
    out.append("Retry-After: ").append(std::to_string(response.retry_after_seconds)).append("\r\n");
  out.append(response.headers);
  out.append(fate == connection_fate::keep ? "Connection: keep-alive\r\n\r\n"
                                           : "Connection: close\r\n\r\n");
  return out;
}

} // namespace gasoline
