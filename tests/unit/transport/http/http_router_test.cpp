#include "actors/ingest/formats/format_table.hpp"
#include "tests/unit/support/response_text.hpp"
#include "transport/http/http_router.hpp"
#include "transport/routes/telemetry_routes.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

/// A router over an engine that keeps what it gets and answers at once.
struct http_router_fixture {
  std::vector<ingest_request_ptr> ingested;
  ingest_answer answer{200, R"({"received":1})", 0};
  limits limit;

  http_router router() {
    telemetry_services routes;
    routes.formats = ingest_routes();
    routes.ingest = [this](ingest_request_ptr request) {
      ingested.push_back(request);
      request->reply(answer);
    };
    routes.health = [](const std::function<void(std::string)>& done) { done(R"({"pid":1})"); };
    routes.page_script = "window.gasoline=1";
    http_router out(http_access{}, limit);
    out.add_all(telemetry_routes(std::move(routes), limit));
    return out;
  }

  http_response send(const http_request_view& head, std::string body = {}) {
    http_response out;
    int replies = 0;
    router().handle(head, std::move(body), [&](http_response response) {
      out = std::move(response);
      ++replies;
    });
    CHECK(replies == 1);
    return out;
  }
};

http_request_view request(std::string_view method, std::string_view target) {
  http_request_view out;
  out.method = method;
  out.target = target;
  out.host = "localhost:7890";
  return out;
}

std::string error_of(const http_response& response) {
  return nlohmann::json::parse(response.body).at("error").get<std::string>();
}

} // namespace

TEST_CASE("each ingest route hands its body on with its format") {
  const std::vector<std::pair<std::string_view, std::string_view>> expected{
      {"/logs", "logs"},
      {"/network-bodies", "network_bodies"},
      {"/network-waterfall", "network_waterfall"},
      {"/websocket-events", "websocket_events"},
      {"/enhanced-actions", "actions"},
      {"/performance-snapshots", "performance"},
      {"/ci-result", "ci"}};
  for (const auto& row : expected) {
    const std::string_view path = row.first;
    CAPTURE(path);
    http_router_fixture engine;
    const auto response = engine.send(request("POST", path), "{}");
    CHECK(response.status == 200);
    CHECK(response.body == R"({"received":1})");
    REQUIRE(engine.ingested.size() == 1);
    CHECK(engine.ingested[0]->format == row.second);
    CHECK(engine.ingested[0]->body == "{}");
  }
}

TEST_CASE("the body is moved to the engine, not copied") {
  const char* passed = nullptr;
  telemetry_services routes;
  routes.formats = ingest_routes();
  routes.ingest = [&](const ingest_request_ptr& r) { passed = r->body.data(); };
  routes.health = [](const std::function<void(std::string)>& done) { done("{}"); };
  http_router router(http_access{}, limits{});
  router.add_all(telemetry_routes(std::move(routes), limits{}));
  std::string body(10'000, 'x');
  const char* sent = body.data();
  router.handle(request("POST", "/logs"), std::move(body), [](const http_response&) {});
  CHECK(passed == sent);
}

TEST_CASE("the engine's answer reaches the client as it is") {
  http_router_fixture engine;
  engine.answer = {429, R"({"error":"The engine is busy."})", 7};
  const auto response = engine.send(request("POST", "/logs"), "{}");
  CHECK(response.status == 429);
  CHECK(response.retry_after_seconds == 7);
  CHECK(response.body == R"({"error":"The engine is busy."})");
  CHECK(has(render_head(response, "", connection_fate::keep), "\r\nRetry-After: 7\r\n"));
}

TEST_CASE("health, script and front page are served to GET and HEAD") {
  http_router_fixture engine;
  for (const std::string_view method : {"GET", "HEAD"}) {
    CHECK(engine.send(request(method, "/health")).body == R"({"pid":1})");
    CHECK(engine.send(request(method, "/gasoline.js")).body == "window.gasoline=1");
    CHECK(engine.send(request(method, "/")).status == 200);
  }
  const auto script = engine.send(request("GET", "/gasoline.js?v=2"));
  CHECK(script.content_type == "text/javascript; charset=utf-8");
  CHECK(script.cache_control == "no-cache");
  const auto page = engine.send(request("GET", "/"));
  CHECK(page.content_type == "text/plain; charset=utf-8");
  CHECK(has(page.body, R"(<script src="http://localhost:7890/gasoline.js"></script>)"));
}

TEST_CASE("a client that has the script already gets 304") {
  http_router_fixture engine;
  const std::string headers = engine.send(request("GET", "/gasoline.js")).headers;
  const auto start = headers.find("ETag: ") + 6;
  const std::string tag = headers.substr(start, headers.find("\r\n") - start);
  auto head = request("GET", "/gasoline.js");
  head.if_none_match = tag;
  const auto response = engine.send(head);
  CHECK(response.status == 304);
  CHECK(response.body.empty());
  head.if_none_match = "\"other\"";
  CHECK(engine.send(head).status == 200);
}

TEST_CASE("foreign hosts are refused on every route") {
  for (const std::string_view path : {"/", "/health", "/gasoline.js", "/logs", "/ci-result", "/x"})
    for (const std::string_view method : {"GET", "POST", "OPTIONS", "HEAD", "DELETE"}) {
      CAPTURE(path);
      CAPTURE(method);
      http_router_fixture engine;
      auto head = request(method, path);
      head.host = "evil.test";
      const auto response = engine.send(head, "{}");
      CHECK(response.status == 403);
      CHECK(has(error_of(response), "evil.test"));
      CHECK(engine.ingested.empty());
    }
}

TEST_CASE("foreign origins are refused on every route and get no CORS header") {
  for (const std::string_view path : {"/", "/health", "/gasoline.js", "/logs", "/ci-result", "/x"})
    for (const std::string_view method : {"GET", "POST", "OPTIONS"})
      for (const std::string_view origin : {"http://evil.test", "null", ""}) {
        CAPTURE(path);
        CAPTURE(origin);
        http_router_fixture engine;
        auto head = request(method, path);
        head.origin = origin;
        CHECK(engine.send(head, "{}").status == 403);
        CHECK(engine.router().plan(head).allowed_origin.empty());
        CHECK(engine.ingested.empty());
      }
}

TEST_CASE("a missing host is refused from HTTP/1.1 on") {
  http_router_fixture engine;
  auto head = request("GET", "/health");
  head.host.reset();
  CHECK(engine.send(head).status == 403);
  head.http_1_0 = true;
  CHECK(engine.send(head).status == 200);
}

TEST_CASE("a header that came twice is refused") {
  http_router_fixture engine;
  auto head = request("GET", "/health");
  head.repeated = "Host";
  CHECK(engine.send(head).status == 400);
}

TEST_CASE("an absolute target counts as the host") {
  http_router_fixture engine;
  CHECK(engine.send(request("GET", "http://evil.test/")).status == 403);
  CHECK(engine.send(request("GET", "http://evil.test/health")).status == 403);
  CHECK(engine.send(request("GET", "http://evil.test")).status == 403);
  CHECK(engine.send(request("GET", "http://localhost@evil.test/health")).status == 403);
  CHECK(engine.send(request("GET", "http:///health")).status == 403);
  CHECK(engine.send(request("GET", "http://127.0.0.1:7890/health")).body == R"({"pid":1})");
  CHECK(engine.send(request("GET", "HTTP://localhost?x=/health")).content_type ==
        "text/plain; charset=utf-8");
  auto head = request("GET", "http://localhost/health");
  head.host = "evil.test";
  CHECK(engine.send(head).status == 403);
}

TEST_CASE("targets that are no path of the table lead nowhere") {
  http_router_fixture engine;
  for (const std::string_view target :
       {"/../etc/passwd", "/health/../logs", "/..%2f..%2fetc/passwd", "/gasoline.js/",
        "/%2e%2e/etc/passwd", "//health", "/health/", "/health%00", "/health%2F", "/HEALTH",
        "/health#x", "/gasoline.js%20", "/\xff\xfe"}) {
    CAPTURE(target);
    const auto response = engine.send(request("GET", target));
    CHECK(response.status == 404);
    CHECK(has(error_of(response), "GET /health, POST /logs"));
  }
  for (const std::string_view target : {"", "health", "*", "/%", "/%4", "/%zz", "evil.test:443"}) {
    CAPTURE(target);
    CHECK(engine.send(request("GET", target)).status == 400);
  }
  CHECK(engine.send(request("CONNECT", "localhost:443")).status == 400);
}

TEST_CASE("needless percent-encoding in a path is undone") {
  http_router_fixture engine;
  CHECK(engine.send(request("GET", "/%68ealth")).status == 200);
  CHECK(engine.send(request("POST", "/network%2Dbodies?x=%zz"), "{}").status == 200);
}

TEST_CASE("a wrong method names the right ones") {
  http_router_fixture engine;
  const auto get = engine.send(request("GET", "/logs"));
  CHECK(get.status == 405);
  CHECK(get.headers == "Allow: POST, OPTIONS\r\n");
  CHECK(has(error_of(get), "POST"));
  const auto post = engine.send(request("POST", "/health"));
  CHECK(post.status == 405);
  CHECK(post.headers == "Allow: GET, HEAD, OPTIONS\r\n");
  CHECK(engine.send(request("TRACE", "/")).status == 405);
  CHECK(engine.send(request("get", "/health")).status == 405);
}

TEST_CASE("content types of JSON senders pass and others do not") {
  http_router_fixture engine;
  for (const std::string_view type :
       {"", "application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json ;x=\"y\"", "text/plain", "text/plain;charset=UTF-8"}) {
    CAPTURE(type);
    auto head = request("POST", "/logs");
    head.content_type = type;
    CHECK(engine.send(head, "{}").status == 200);
  }
  for (const std::string_view type :
       {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/html",
        "application/jsonx", "application/x-ndjson", "json", "text/plain, application/json"}) {
    CAPTURE(type);
    auto head = request("POST", "/ci-result");
    head.content_type = type;
    const auto response = engine.send(head, "{}");
    CHECK(response.status == 415);
    CHECK(has(error_of(response), "application/json"));
  }
}

TEST_CASE("content codings are undone within the cap") {
  // "{}" as gzip writes it.
  const std::string gzip("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3"
                         "\x02\x00\x00\x00",
                         22);
  http_router_fixture engine;
  auto head = request("POST", "/logs");
  head.content_encoding = "gzip";
  CHECK(engine.send(head, gzip).status == 200);
  REQUIRE(engine.ingested.size() == 1);
  CHECK(engine.ingested[0]->body == "{}");
  CHECK(engine.send(head, "{}").status == 400);
  engine.limit.http.inflated_bytes = 1;
  CHECK(engine.send(head, gzip).status == 413);
  head.content_encoding = "br";
  CHECK(engine.send(head, gzip).status == 400);
  head.content_encoding = "compress";
  CHECK(engine.send(head, gzip).status == 415);
  CHECK(engine.ingested.size() == 1);
}

TEST_CASE("body caps are exact") {
  http_router_fixture engine;
  const auto ci = request("POST", "/ci-result");
  CHECK(engine.send(ci, std::string(1'048'576, ' ')).status == 200);
  const auto refused = engine.send(ci, std::string(1'048'577, ' '));
  CHECK(refused.status == 413);
  CHECK(has(error_of(refused), "1048576"));
  CHECK(engine.ingested.size() == 1);
  CHECK(engine.send(request("POST", "/logs"), std::string(1'048'577, ' ')).status == 200);
}

TEST_CASE("preflights answer with the exact origin's rights") {
  http_router_fixture engine;
  auto head = request("OPTIONS", "/logs");
  head.origin = "chrome-extension://abcd";
  head.request_private_network = "true";
  const auto response = engine.send(head);
  CHECK(response.status == 204);
  CHECK(response.body.empty());
  const std::string text =
      render_head(response, engine.router().plan(head).allowed_origin, connection_fate::keep);
  CHECK(has(text, "HTTP/1.1 204 No Content\r\n"));
  CHECK(has(text, "\r\nAccess-Control-Allow-Origin: chrome-extension://abcd\r\n"));
  CHECK(has(text, "\r\nAccess-Control-Allow-Private-Network: true\r\n"));
  CHECK(has(text, "\r\nAccess-Control-Allow-Methods: POST, OPTIONS\r\n"));
  CHECK(has(text, "\r\nVary: Origin\r\n"));
  CHECK_FALSE(has(text, "*"));
  CHECK_FALSE(has(text, "Content-Length"));
  for (const std::string_view name :
       {"Content-Type", "Content-Encoding", "X-Gasoline-Client", "X-Gasoline-Extension-Version",
        "X-Kaboom-Client", "X-Kaboom-Extension-Version", "Authorization", "Mcp-Session-Id",
        "MCP-Protocol-Version", "Last-Event-ID"}) {
    CAPTURE(name);
    CHECK(has(text, name));
  }
  head.request_private_network = "";
  CHECK_FALSE(has(engine.send(head).headers, "Private-Network"));
}

TEST_CASE("OPTIONS is answered anywhere") {
  http_router_fixture engine;
  CHECK(engine.send(request("OPTIONS", "*")).status == 204);
  CHECK(engine.send(request("OPTIONS", "/nowhere")).status == 204);
  CHECK(engine.send(request("OPTIONS", "/health")).headers == "Allow: GET, HEAD, OPTIONS\r\n");
}

TEST_CASE("unknown transfer codings and expectations are refused") {
  http_router_fixture engine;
  auto head = request("POST", "/logs");
  head.transfer_encoding = "gzip, chunked";
  CHECK(engine.send(head).status == 501);
  head.transfer_encoding = "Chunked";
  head.expect = "tea";
  CHECK(engine.send(head).status == 417);
  head.expect = "100-Continue";
  CHECK(engine.send(head).status == 200);
}

TEST_CASE("refusals carry no control or foreign characters back") {
  http_router_fixture engine;
  auto head = request("GET", "/health");
  const std::string host = "evil\x01\xff\xe2\x80\xae\"" + std::string(500, 'x');
  head.host = host;
  const std::string sentence = error_of(engine.send(head));
  CHECK(has(sentence, "evil?????\"xxx"));
  CHECK(sentence.size() < 400);
}

TEST_CASE("a route that ends in /* covers what is below it") {
  http_router_fixture engine;
  auto router = engine.router();
  std::string seen;
  router.add({"DELETE", "/streams/*", 0, [&](const http_call& call, const http_reply& reply) {
                seen = std::string(call.path) + '?' + std::string(call.query);
                reply({});
              }});
  int status = 0;
  const auto keep = [&](const http_response& response) { status = response.status; };
  router.handle(request("DELETE", "/streams/a/b?c=d"), {}, keep);
  CHECK(status == 200);
  CHECK(seen == "/streams/a/b?c=d");
  for (const std::string_view path : {"/streams", "/streams/", "/streamsx/a"}) {
    CAPTURE(path);
    router.handle(request("DELETE", path), {}, keep);
    CHECK(status == 404);
  }
  router.handle(request("PUT", "/streams/a"), {}, keep);
  CHECK(status == 405);
}

TEST_CASE("a row that names the path wins over one that takes what is left") {
  http_router_fixture engine;
  auto router = engine.router();
  std::string seen;
  router.add({"GET", "/streams/*", 0, [&](const http_call&, const http_reply& reply) {
                seen = "rest";
                reply({});
              }});
  router.add(
      {"GET", "/streams/{stream}/events", 0, [&](const http_call& call, const http_reply& reply) {
         seen = call.parameter("stream");
         reply({});
       }});
  router.handle(request("GET", "/streams/a%20b/events"), {}, [](const http_response&) {});
  CHECK(seen == "a b");
  router.handle(request("GET", "/streams/a/other"), {}, [](const http_response&) {});
  CHECK(seen == "rest");
  std::string allowed;
  router.handle(request("PUT", "/streams/a/events"), {},
                [&](const http_response& response) { allowed = response.headers; });
  CHECK(allowed == "Allow: GET, HEAD, OPTIONS\r\n");
}

TEST_CASE("a handler that throws drops its reply and nothing else") {
  http_router_fixture engine;
  auto router = engine.router();
  router.add({"GET", "/throws", 0,
              [](const http_call&, const http_reply&) { throw std::runtime_error("test"); }});
  int replies = 0;
  router.handle(request("GET", "/throws"), {}, [&](const http_response&) { ++replies; });
  CHECK(replies == 0);
}

TEST_CASE("a rendered head is complete") {
  http_response response;
  response.body = "{}";
  response.headers = "X-More: 1\r\n";
  CHECK(render_head(response, "http://localhost:3000", connection_fate::close) ==
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nVary: Origin\r\n"
        "Access-Control-Allow-Origin: http://localhost:3000\r\n"
        "Access-Control-Expose-Headers: Retry-After, Mcp-Session-Id\r\n"
        "X-More: 1\r\nConnection: close\r\n\r\n");
  CHECK(has(render_head({}, "", connection_fate::keep),
            "Content-Length: 0\r\nCache-Control: no-store\r\n"));
}
