#include "tests/unit/support/mcp_http_fixture.hpp"
#include "tests/unit/support/response_text.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

/// The id of the last event that a stream has sent.
std::string last_id(const std::string& text) {
  const auto at = text.rfind("id: ");
  REQUIRE(at != std::string::npos);
  return text.substr(at + 4, text.find('\n', at) - at - 4);
}

field_list with(field_list fields, std::string name, std::string value) {
  fields.emplace_back(std::move(name), std::move(value));
  return fields;
}

} // namespace

TEST_CASE("initialize opens a session, DELETE ends it") {
  mcp_http_fixture f;
  const auto session = f.open();
  CHECK(f.session().origin.transport == client_transport::http);
  CHECK(f.post(initialized, session)->status() == 202);
  const auto call = f.post(f.call("tools/list"), session);
  CHECK(call->status() == 0); // not before the session answers
  f.answer(f.last_exchange(), R"({"id":1,"result":{"tools":[]}})");
  CHECK(call->status() == 200);
  CHECK(call->response->content_type == "application/json");
  CHECK(call->response->body == R"({"id":1,"result":{"tools":[]}})");
  CHECK(f.send("DELETE", "/mcp", session)->status() == 200);
  CHECK(f.session().closed);
  const auto late = f.post(f.call("tools/list"), session);
  CHECK(late->status() == 404);
  CHECK(late->code() == -32001);
  CHECK(late->body()["id"] == 1);
  CHECK(f.endpoint->clients() == 0);
}

TEST_CASE("a refused handshake leaves no session") {
  mcp_http_fixture f;
  const auto handshake = f.post(f.call("initialize"));
  f.answer(f.last_exchange(), R"({"id":1,"error":{"code":-32602}})", -32602);
  CHECK(handshake->status() == 200);
  CHECK(handshake->header("Mcp-Session-Id").empty());
  CHECK(f.endpoint->clients() == 0);
}

TEST_CASE("what is wrong with a POST is told by status, code and id") {
  mcp_http_fixture f;
  const auto session = f.open();
  CHECK(f.send("POST", "/mcp", {{"Accept", "application/json"}}, "{}")->status() == 406);
  CHECK(
      f.send("POST", "/mcp", {{"Accept", "*/*"}, {"Content-Type", "text/plain"}}, "{}")->status() ==
      415);
  CHECK(f.post_text("{", session)->code() == -32700);
  CHECK(f.post_text("{", session)->status() == 400);
  const auto shapeless = f.post_text(R"({"jsonrpc":"1.0","id":"x","method":"a"})", session);
  CHECK(shapeless->status() == 400);
  CHECK(shapeless->code() == -32600);
  CHECK(shapeless->body()["id"] == "x");
  CHECK(f.post(f.call("tools/list"))->status() == 400); // no session id
  CHECK(f.post(f.call("tools/list"), {{"Mcp-Session-Id", "of-a-former-run"}})->status() == 404);
  auto strange = session;
  strange[1].second = "1999-01-01";
  CHECK(f.post(f.call("tools/list"), strange)->status() == 400);
  CHECK(f.post(f.call("tools/list"), with(session, "mcp-session-id", "other"))->status() == 400);
  CHECK(f.session().frames.size() == 1); // the handshake alone
}

TEST_CASE("batches belong to 2025-03-26 alone") {
  mcp_http_fixture f;
  const json calls = json::array({f.call("ping"), f.call("ping")});
  const json notes = json::array({initialized});
  const auto newer = f.open("2025-06-18");
  CHECK(f.post(calls, newer)->status() == 400);
  CHECK(f.post(notes, newer)->status() == 400);
  CHECK(f.session().frames.size() == 1); // the handshake alone
  const auto session = f.open("2025-03-26");
  CHECK(f.post(notes, session)->status() == 202);
  auto both = f.post(calls, session);
  CHECK(f.session().frames.back().batch);
  f.answer(f.last_exchange(), "[{},{}]");
  CHECK(both->status() == 200);
  // The header may lie about what the session has agreed on; then the session refuses.
  both = f.post(calls, session);
  f.answer(f.last_exchange(), "{}", -32600);
  CHECK(both->status() == 400);
}

TEST_CASE("what is wrong with a GET is told by status") {
  mcp_http_fixture f;
  const auto session = f.open();
  CHECK(f.send("GET", "/mcp", session)->status() == 406);
  CHECK(f.get()->status() == 400);
  CHECK(f.get({{"Mcp-Session-Id", "x"}})->status() == 404);
  CHECK(f.get({{"MCP-Protocol-Version", "2026-07-28"}})->status() == 405);
  CHECK(f.get(session)->status() == 200);
}

TEST_CASE("messages before the response make it a stream that ends with it") {
  mcp_http_fixture f;
  const auto session = f.open();
  const auto call = f.post(f.call("tools/call"), session);
  const auto id = f.last_exchange();
  f.relate(id, R"({"method":"notifications/progress"})");
  REQUIRE(call->stream);
  CHECK(call->response->content_type == "text/event-stream");
  CHECK(has(call->response->headers, "X-Accel-Buffering: no\r\n"));
  CHECK(!call->stream->finished);
  f.answer(id, R"({"id":1,"result":{}})");
  CHECK(call->stream->finished);
  CHECK(count(call->stream->text, "event: message\n") == 2);
  CHECK(!has(call->stream->text, "retry:")); // older clients do not expect a priming event
}

TEST_CASE("2025-11-25: a stream begins with a priming event and can end early") {
  mcp_http_fixture f;
  const auto session = f.open("2025-11-25");
  const auto call = f.post(f.call("tools/call"), session);
  const auto id = f.last_exchange();
  f.say({nullptr, id, false, 0, false, true});
  REQUIRE(call->stream);
  CHECK(call->stream->finished);
  CHECK(has(call->stream->text, "retry: 500\ndata: \n\n"));
  f.answer(id, R"({"id":1,"result":"late"})");
  const auto again = f.get(with(session, "Last-Event-ID", last_id(call->stream->text)));
  REQUIRE(again->stream);
  CHECK(has(again->stream->text, R"({"id":1,"result":"late"})"));
  CHECK(again->stream->finished);
}

TEST_CASE("a client that comes back before the response gets it on the new stream alone") {
  mcp_http_fixture f;
  const auto session = f.open("2025-11-25");
  const auto call = f.post(f.call("tools/call"), session);
  const auto id = f.last_exchange();
  f.relate(id, R"({"n":1})");
  const auto seen = last_id(call->stream->text);
  call->stream->drop();
  f.settle();
  f.relate(id, R"({"n":2})");
  f.push(R"({"n":"unsolicited"})");
  const auto again = f.get(with(session, "Last-Event-ID", seen));
  REQUIRE(again->stream);
  f.answer(id, R"({"id":1,"result":{}})");
  CHECK(count(again->stream->text, "event: message\n") == 2);
  CHECK(has(again->stream->text, R"({"n":2})"));
  CHECK(!has(again->stream->text, R"({"n":1})"));
  CHECK(!has(again->stream->text, "unsolicited"));
  CHECK(again->stream->finished);
  CHECK(f.session().cancelled.empty()); // a disconnect is no cancellation in this era
}

TEST_CASE("forged, huge, negative and foreign event ids get a clear 400") {
  mcp_http_fixture f;
  const auto first = f.open();
  const auto stream = f.get(first);
  f.push("{}");
  const auto id = last_id(stream->stream->text);
  const auto second = f.open();
  for (const std::string& bad :
       {std::string{"1"}, std::string{"-1"}, std::string(10000, '9'), id + "0", id,
        id.substr(0, 8) + "-7-1", id.substr(0, 8) + "-99999999999999999999999-1"}) {
    const auto answer = f.get(with(second, "Last-Event-ID", bad));
    CAPTURE(bad.substr(0, 40));
    CHECK(answer->status() == 400);
    CHECK(answer->code() == -32600);
  }
  CHECK(f.get(with(first, "Last-Event-ID", id))->status() == 200);
}

TEST_CASE("unsolicited messages wait for a stream, within a bound") {
  mcp_http_fixture f([](limits& l) { l.mcp.waiting_messages = 2; });
  const auto session = f.open();
  for (const char* text : {R"({"n":1})", R"({"n":2})", R"({"n":3})"})
    f.push(text);
  CHECK(f.service->messages_dropped == 1);
  const auto stream = f.get(session)->stream;
  REQUIRE(stream);
  CHECK(!has(stream->text, R"({"n":1})"));
  CHECK(has(stream->text, R"({"n":2})"));
  CHECK(has(stream->text, R"({"n":3})"));
}

TEST_CASE("a new GET takes over, and goes on after the last event that was seen") {
  mcp_http_fixture f;
  const auto session = f.open("2025-11-25");
  const auto old = f.get(session)->stream;
  const auto seen = last_id(old->text); // of the priming event
  f.push(R"({"n":1})");
  const auto fresh = f.get(with(session, "Last-Event-ID", seen))->stream;
  CHECK(old->finished);
  CHECK(has(fresh->text, R"({"n":1})"));
  f.push(R"({"n":2})");
  CHECK(has(fresh->text, R"({"n":2})"));
  CHECK(!has(old->text, R"({"n":2})"));
}

TEST_CASE("a cancelled request ends its POST without a response") {
  mcp_http_fixture f;
  const auto session = f.open();
  const auto call = f.post(f.call("tools/call"), session);
  f.say({nullptr, f.last_exchange(), false, 0, true});
  CHECK(call->status() == 200);
  CHECK(call->response->content_type == "text/event-stream");
  CHECK(!has(call->response->body, "data"));
}

TEST_CASE("a request that takes long begins its stream before anything comes") {
  mcp_http_fixture f([](limits& l) { l.mcp.stream_after_ms = 5; });
  const auto call = f.post(f.modern_call("tools/list"), f.modern_fields("tools/list"));
  const auto id = f.last_exchange();
  CHECK(!call->response);
  f.wait(std::chrono::milliseconds{30});
  REQUIRE(call->stream);
  f.answer(id, R"({"id":1,"result":{}})");
  CHECK(call->stream->text == "event: message\ndata: {\"id\":1,\"result\":{}}\n\n");
  CHECK(call->stream->finished);
}

TEST_CASE("idle streams get comments") {
  mcp_http_fixture f([](limits& l) { l.mcp.keepalive_ms = 100; });
  const auto stream = f.get(f.open())->stream;
  f.wait(std::chrono::milliseconds{220});
  CHECK(count(stream->text, ": still here\n\n") >= 2);
}

TEST_CASE("2026-07-28: no session, and the status follows the error") {
  mcp_http_fixture f;
  const auto ask = [&](const char* method) {
    return f.post(f.modern_call(method), f.modern_fields(method));
  };
  auto call = ask("tools/list");
  f.answer(f.last_exchange(), R"({"id":1,"result":{}})");
  CHECK(call->status() == 200);
  CHECK(call->header("Mcp-Session-Id").empty());
  call = ask("no/such");
  f.answer(f.last_exchange(), "{}", -32601);
  CHECK(call->status() == 404);
  call = ask("tools/list");
  f.answer(f.last_exchange(), "{}", -32021);
  CHECK(call->status() == 400);
  call = ask("tools/list");
  f.answer(f.last_exchange(), "{}", -32602);
  CHECK(call->status() == 200);
  CHECK(f.sessions.size() == 1); // one client, all the while
  CHECK(f.post(initialized, f.modern_fields("notifications/initialized"))->status() == 202);
}

TEST_CASE("2026-07-28: checks before any session") {
  mcp_http_fixture f;
  CHECK(f.post(f.call("tools/list"), f.modern_fields("tools/list"))->code() == -32602);
  CHECK(f.post(f.modern_call("tools/list"))->code() == -32020);
  CHECK(f.post(f.modern_call("tools/list"), f.modern_fields("prompts/list"))->status() == 400);
  auto fields = with(f.modern_fields("tools/call"), "Mcp-Name", "located");
  const auto call =
      f.modern_call("tools/call", {{"name", "located"}, {"arguments", {{"region", "eu"}}}});
  CHECK(f.post(call, fields)->code() == -32020);
  CHECK(f.post(call, with(fields, "Mcp-Param-Region", "us"))->code() == -32020);
  CHECK(f.sessions.empty());
  f.post(call, with(fields, "Mcp-Param-Region", "eu"));
  CHECK(f.sessions.size() == 1);
  const json batch = json::array({f.call("ping")});
  CHECK(f.post(batch, f.modern_fields("ping"))->status() == 400);
}

TEST_CASE("2026-07-28: closing the response cancels, before and while it streams") {
  mcp_http_fixture f;
  const auto waiting = f.post(f.modern_call("tools/list"), f.modern_fields("tools/list"));
  const auto first = f.last_exchange();
  REQUIRE(waiting->gone);
  waiting->gone();
  f.settle();
  CHECK(f.session().cancelled == std::vector<exchange_id>{first});
  const auto streaming = f.post(f.modern_call("tools/list"), f.modern_fields("tools/list"));
  const auto second = f.last_exchange();
  f.relate(second, "{}");
  streaming->stream->drop();
  f.settle();
  CHECK(f.session().cancelled == std::vector<exchange_id>{first, second});
  f.answer(second, "{}"); // too late
  CHECK(f.service->messages_dropped == 1);
}

TEST_CASE("2026-07-28: a name per client") {
  mcp_http_fixture f;
  const auto ask = [&](const char* name) {
    f.post(f.modern_call("tools/list"),
           with(f.modern_fields("tools/list"), "X-Gasoline-Client", name));
  };
  ask("a");
  ask("b");
  ask("a");
  REQUIRE(f.sessions.size() == 2);
  CHECK(f.sessions[0]->frames.size() == 2);
  CHECK(f.sessions[0]->origin.name == "a");
}

TEST_CASE("the bridge: no session, one JSON answer, and {} for initialized") {
  mcp_http_fixture f;
  const field_list bridge{{"X-Gasoline-Client", "extension"}};
  const auto note = f.send("POST", "/mcp", bridge, initialized.dump());
  CHECK(note->status() == 200);
  CHECK(note->response->body == "{}");
  const auto call = f.send("POST", "/mcp", bridge, f.call("tools/list").dump());
  CHECK(f.session().origin.transport == client_transport::bridge);
  f.relate(f.last_exchange(), R"({"method":"notifications/progress"})");
  CHECK(!call->response);
  f.answer(f.last_exchange(), R"({"id":1,"result":{}})");
  CHECK(call->response->body == R"({"id":1,"result":{}})");
  // With a session id it is an ordinary client.
  auto session = f.open();
  session.emplace_back("X-Gasoline-Client", "extension");
  CHECK(f.post(initialized, session)->status() == 202);
}

TEST_CASE("too many sessions: the longest idle one ends; when all are busy a new one is refused") {
  mcp_http_fixture f([](limits& l) { l.mcp.sessions = 2; });
  const auto first = f.open();
  f.wait(std::chrono::milliseconds{2});
  const auto second = f.open();
  f.get(second);
  const auto third = f.open();
  CHECK(f.get(first)->status() == 404);
  CHECK(f.endpoint->counters().sessions_evicted == 1);
  f.get(third);
  CHECK(f.post(f.call("initialize"))->status() == 503);
  CHECK(f.endpoint->clients() == 2);
}

TEST_CASE("idle sessions end; those with an open stream do not") {
  mcp_http_fixture f([](limits& l) { l.mcp.session_idle_ms = 100; });
  const auto idle = f.open();
  const auto busy = f.open();
  f.get(busy);
  f.wait(std::chrono::milliseconds{160});
  CHECK(f.post(initialized, idle)->status() == 404);
  CHECK(f.post(initialized, busy)->status() == 202);
}

TEST_CASE("when the engine's side ends, its session is gone and its streams end") {
  mcp_http_fixture f;
  const auto session = f.open();
  const auto stream = f.get(session)->stream;
  const auto call = f.post(f.call("tools/call"), session);
  f.relate(f.last_exchange(), "{}");
  caf::anon_send_exit(f.session().self, caf::exit_reason::user_shutdown);
  f.settle();
  CHECK(stream->finished);
  CHECK(call->stream->finished);
  CHECK(f.post(f.call("tools/list"), session)->status() == 404);
}

TEST_CASE("many sessions leave nothing behind") {
  mcp_http_fixture f;
  for (int i = 0; i < 300; ++i) {
    const auto session = f.open();
    const auto stream = f.get(session)->stream;
    f.push("{}");
    if (i % 2 == 0)
      stream->drop();
    CHECK(f.send("DELETE", "/mcp", session)->status() == 200);
  }
  CHECK(f.endpoint->clients() == 0);
  CHECK(f.service->stored->bytes == 0);
  CHECK(f.vs.sys.registry().running() <= 1); // the scoped actor of the fixture
}

TEST_CASE("HTTP+SSE: the stream names where to POST, and everything comes on it") {
  mcp_http_fixture f;
  const auto opened = f.send("GET", "/mcp/sse", {{"Accept", "text/event-stream"}});
  REQUIRE(opened->stream);
  CHECK(opened->response->content_type == "text/event-stream");
  CHECK(opened->response->cache_control == "no-cache");
  CHECK(opened->response->headers == "X-Accel-Buffering: no\r\n");
  const std::string begin = "event: endpoint\ndata: /mcp/messages/";
  REQUIRE(opened->stream->text.substr(0, begin.size()) == begin);
  const auto path = opened->stream->text.substr(22, opened->stream->text.size() - 24);
  CHECK(f.session().origin.transport == client_transport::sse);
  CHECK(f.send("POST", path, {}, f.call("initialize").dump())->status() == 202);
  REQUIRE(f.session().frames.size() == 1);
  CHECK(f.last_exchange() == 0);
  f.push(R"({"id":1,"result":{}})");
  CHECK(has(opened->stream->text, "\n\nevent: message\ndata: {\"id\":1,\"result\":{}}\n\n"));
  CHECK(f.send("POST", path, {}, "{")->status() == 400);
  CHECK(f.send("POST", "/mcp/messages/unknown", {}, "{}")->status() == 404);
  opened->stream->drop();
  f.settle();
  CHECK(f.session().closed);
  CHECK(f.send("POST", path, {}, "{}")->status() == 404);
}
