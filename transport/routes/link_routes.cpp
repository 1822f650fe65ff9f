#include "transport/routes/link_routes.hpp"

#include "messages/base/json/json_text.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace gasoline {
namespace {

constexpr std::uint64_t link_body_bytes = 1'024; // nothing in it is looked at

void make_link(page_links& links, const http_call& call, const http_reply& reply) {
  if (!call.is_owner) {
    auto out = http_error(401, "Links to this engine's page are for who has the token: send the "
                               "header \"Authorization: Bearer TOKEN\", or use `gasoline open`.");
    out.headers = "WWW-Authenticate: Bearer\r\n";
    reply(std::move(out));
    return;
  }
  const auto code = links.make_code(std::chrono::steady_clock::now());
  if (code.empty()) {
    reply(http_error(503, "The kernel gives no random bytes, so there is no link."));
    return;
  }
  http_response out;
  out.status = 201;
  json_object_writer{out.body}.text("path", "/link/" + code).close();
  reply(std::move(out));
}

void open_link(page_links& links, const http_call& call, const http_reply& reply) {
  const auto cookie = call.head.method == "GET"
                          ? links.redeem(call.parameter("code"), std::chrono::steady_clock::now())
                          : std::nullopt;
  if (!cookie) {
    reply(http_error(404, "This link was used, is older than a minute, or never was one; "
                          "`gasoline open` prints a new one."));
    return;
  }
  http_response out;
  out.status = 303;
  out.headers =
      "Location: /\r\nReferrer-Policy: no-referrer\r\n" + page_links::set_cookie_line(*cookie);
  reply(std::move(out));
}

} // namespace

std::vector<http_route> link_routes(std::shared_ptr<page_links> links) {
  return {
      {"POST", "/links", link_body_bytes,
       [links](const http_call& call, const http_reply& reply) { make_link(*links, call, reply); }},
      {"GET", "/link/{code}", 0,
       [links](const http_call& call, const http_reply& reply) { open_link(*links, call, reply); },
       http_right::send},
  };
}

} // namespace gasoline
