#include "actors/ingest/formats/format_table.hpp"
#include "transport/http/http_router.hpp"
#include "transport/routes/telemetry_routes.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace gasoline;

namespace {

/// A router that asks for a token.
struct guarded {
  std::size_t ingested = 0;
  http_router router{{.token = "s3cret"}, limits{}};

  guarded() { router.add_all(telemetry_routes(services(), limits{})); }

  telemetry_services services() {
    telemetry_services out;
    out.formats = ingest_routes();
    out.ingest = [this](const ingest_request_ptr& request) {
      ++ingested;
      request->reply({200, "{}", 0});
    };
    out.health = [](const std::function<void(std::string)>& done) { done("{}"); };
    out.page_script = "window.gasoline=1";
    return out;
  }

  http_response send(const http_request_view& head, std::string body = {}) {
    http_response out;
    router.handle(head, std::move(body),
                  [&](http_response response) { out = std::move(response); });
    return out;
  }
};

http_request_view token_request(std::string_view method, std::string_view target,
                                std::string_view authorization = {}) {
  http_request_view out;
  out.method = method;
  out.target = target;
  out.host = "localhost:7890";
  if (!authorization.empty())
    out.fields.emplace_back("authorization", authorization);
  return out;
}

} // namespace

TEST_CASE("every route asks for the token, unknown ones too") {
  guarded engine;
  for (const auto* target : {"/", "/health", "/gasoline.js", "/nowhere", "/mcp/sse"}) {
    CAPTURE(target);
    const auto refused = engine.send(token_request("GET", target));
    CHECK(refused.status == 401);
    CHECK(refused.headers.find("WWW-Authenticate: Bearer\r\n") != std::string::npos);
    CHECK(engine.send(token_request("GET", target, "Bearer s3cret")).status != 401);
    CHECK(engine.send(token_request("GET", target, "Bearer other")).status == 401);
  }
  CHECK(engine.send(token_request("POST", "/logs"), "{}").status == 401);
  CHECK(engine.ingested == 0);
  CHECK(engine.send(token_request("POST", "/logs", "Bearer s3cret"), "{}").status == 200);
  CHECK(engine.ingested == 1);
}

TEST_CASE("only what pages load and send to takes the token in the query") {
  guarded engine;
  CHECK(engine.send(token_request("GET", "/gasoline.js?token=s3cret")).status == 200);
  CHECK(engine.send(token_request("POST", "/logs?token=s3cret"), "{}").status == 200);
  CHECK(engine.send(token_request("POST", "/ci-result?token=s3cret"), "{}").status == 200);
  CHECK(engine.send(token_request("POST", "/logs?token=other"), "{}").status == 401);
  CHECK(engine.send(token_request("GET", "/health?token=s3cret")).status == 401);
  CHECK(engine.send(token_request("GET", "/?token=s3cret")).status == 401);
}

TEST_CASE("Host and Origin come before the token, a preflight needs none") {
  guarded engine;
  auto foreign = token_request("GET", "/health", "Bearer s3cret");
  foreign.host = "evil.test";
  CHECK(engine.send(foreign).status == 403);
  auto page = token_request("POST", "/logs?token=s3cret");
  page.origin = "http://evil.test";
  CHECK(engine.send(page, "{}").status == 403);
  auto preflight = token_request("OPTIONS", "/logs");
  preflight.origin = "http://localhost:3000";
  const auto answer = engine.send(preflight);
  CHECK(answer.status == 204);
  CHECK(answer.headers.find("Authorization") != std::string::npos);
}
