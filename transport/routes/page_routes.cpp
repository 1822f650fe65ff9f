#include "transport/routes/page_routes.hpp"

#include <array>
#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

std::string entity_tag(std::string_view text) {
  std::array<char, 24> tag{};
  const auto hash = static_cast<unsigned long long>(std::hash<std::string_view>{}(text));
  std::snprintf(tag.data(), tag.size(), "\"%016llx\"", hash);
  return tag.data();
}

void answer_front_page(const http_call& call, const http_reply& reply) {
  http_response response;
  response.content_type = "text/plain; charset=utf-8";
  response.body = "Gasoline tells an AI agent what happens in your pages and CI runs.\n\n"
                  "Add this line to the page that you work on:\n<script src=\"http://";
  response.body += call.head.host.value_or("127.0.0.1:7890");
  response.body += "/gasoline.js\"></script>\n\n"
                   "CI results go to POST /ci-result, the state is at GET /health.\n";
  reply(std::move(response));
}

} // namespace

http_route page_script_route(std::string script) {
  auto tag = entity_tag(script);
  return {"GET",
          "/gasoline.js",
          0,
          [tag = std::move(tag), script = std::move(script)](const http_call& call,
                                                             const http_reply& reply) {
            if (script.empty()) {
              reply(http_error(
                  404, "This build has no page script; build it where Node.js is installed."));
              return;
            }
            http_response response;
            response.content_type = "text/javascript; charset=utf-8";
            response.cache_control = "no-cache";
            // Pages that embed with COEP load the script only with this header.
            response.headers =
                "ETag: " + tag + "\r\nCross-Origin-Resource-Policy: cross-origin\r\n";
            if (call.head.if_none_match == tag)
              response.status = 304;
            else
              response.body = script;
            reply(std::move(response));
          },
          http_right::load,
          token_place::query_too};
}

http_route front_page_route() {
  return {"GET", "/", 0, answer_front_page, http_right::send};
}

} // namespace gasoline
