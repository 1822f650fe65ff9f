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

/// What a person sees in a browser: how the engine is, where a link has let the page read it. All
/// text of others is set as text.
constexpr std::string_view front_page = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Gasoline</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .6rem .2rem 0}
pre{background:#0001;padding:.6rem;overflow:auto}</style></head>
<body><h1>Gasoline</h1>
<p>Tells an AI agent what happens in your pages and CI runs. Add this line to the page that you work on:</p>
<pre id="tag"></pre><p id="state">…</p><table id="clients"></table><table id="sessions"></table>
<script>
const by_id = (id) => document.getElementById(id);
by_id("tag").textContent = `<script src="${location.origin}/gasoline.js"></${"script"}>`;
const row = (table, kind, texts) => {
  const line = by_id(table).insertRow();
  for (const text of texts) line.appendChild(document.createElement(kind)).textContent = text;
};
const read = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.json()).error?.message ?? "open it with `gasoline open`");
  return answer.json();
};
(async () => {
  const health = await read("/health");
  if (!health.pid) throw new Error("open it with the link that `gasoline open` prints to see more");
  by_id("state").textContent =
    `Version ${health.version}, process ${health.pid}, running for ${health.uptime_seconds} s.`;
  row("clients", "th", ["client", "connected by", "tool calls"]);
  for (const one of health.clients) row("clients", "td", [one.name, one.transport, one.tool_calls]);
  const { sessions } = await read("/sessions");
  row("sessions", "th", ["agent session", "model", "turns"]);
  for (const one of sessions) row("sessions", "td", [one.id, one.active_model, one.turn_count]);
})().catch((problem) => (by_id("state").textContent = problem.message));
</script></body></html>
)html";

bool wants_page(const http_call& call) {
  return call.head.field("Accept").value_or("").find("text/html") != std::string_view::npos;
}

http_response front_page_of_browser() {
  http_response out;
  out.content_type = "text/html; charset=utf-8";
  out.headers = "Content-Security-Policy: default-src 'none'; connect-src 'self'; script-src "
                "'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n";
  out.body = front_page;
  return out;
}

void answer_front_page(const http_call& call, const http_reply& reply) {
  if (wants_page(call)) {
    reply(front_page_of_browser());
    return;
  }
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
