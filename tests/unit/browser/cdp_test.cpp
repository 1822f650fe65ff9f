#include "actors/browser/actions/action_rights.hpp"
#include "actors/browser/actions/settle_watch.hpp"
#include "actors/browser/cdp/cdp_calls.hpp"
#include "actors/browser/entries/console_entries.hpp"
#include "actors/browser/entries/recent_times.hpp"
#include "actors/browser/entries/request_watch.hpp"
#include "actors/browser/entries/telemetry_outbox.hpp"
#include "actors/browser/pages/page_table.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace gasoline;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// A parsed document that lives as long as it is looked at.
class parsed_event {
 public:
  explicit parsed_event(const std::string& text) { REQUIRE(!parser_.parse(text).get(root_)); }
  explicit parsed_event(const json& document) : parsed_event(document.dump()) {}

  const simdjson::dom::element& operator*() const { return root_; }

 private:
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

const entry_place cart_page{"http://localhost:3000/cart", "L1", "p1", ""};

json sent(const std::string& id, const std::string& url, const std::string& type, double at) {
  return {{"requestId", id},
          {"loaderId", "L1"},
          {"documentURL", "http://localhost:3000/cart"},
          {"type", type},
          {"timestamp", at},
          {"wallTime", 1'769'610'600.0},
          {"request", {{"url", url}, {"method", "GET"}}}};
}

} // namespace

TEST_CASE(
    "a message of a browser is an answer, a failed answer or an event; anything else is none") {
  cdp_reader reader;
  const auto answer = reader.read(R"({"id":7,"result":{"frameId":"F"},"sessionId":"S"})");
  REQUIRE(answer);
  CHECK(answer->id == 7);
  CHECK(answer->session == "S");
  CHECK(text_at(answer->content, "/frameId") == "F");
  const auto failed = reader.read(R"({"id":8,"error":{"code":-32000,"message":"No node"}})");
  REQUIRE(failed);
  CHECK(failed->problem == "No node");
  const auto event = reader.read(R"({"method":"Page.loadEventFired","params":{"timestamp":1.5}})");
  REQUIRE(event);
  CHECK(event->id == 0);
  CHECK(number_at(event->content, "/timestamp") == 1.5);
  CHECK(number_at(event->content, "/nothing/here") == 0);
  for (const auto* text : {"", "[]", "{", "7", "nonsense"})
    CHECK_FALSE(reader.read(text));
}

TEST_CASE(
    "a command ends by its answer, its own deadline or its session's end, whichever is first") {
  cdp_calls calls;
  std::string ended;
  const auto then = [&](const char* name) {
    return [&ended, name](const cdp_outcome&) { ended += name; };
  };
  const mono_time start{};
  const auto first = calls.add("A", start + 10s, then("a"));
  calls.add("B", start + 1s, then("b"));
  calls.add("A", start + 20s, then("c"));
  CHECK(calls.next_deadline() == start + 1s);
  (*calls.take(first))({});
  CHECK_FALSE(calls.take(first));
  for (const auto& each : calls.overdue(start + 1s))
    each({});
  for (const auto& each : calls.of_session("A"))
    each({});
  CHECK(ended == "abc");
  CHECK(calls.size() == 0);
  CHECK_FALSE(calls.next_deadline());
}

TEST_CASE("console calls become entries as the page script writes them") {
  const parsed_event logged{
      json{{"type", "log"},
           {"timestamp", 1'769'610'600'000.25},
           {"args",
            {{{"type", "string"}, {"value", "total"}},
             {{"type", "number"}, {"value", 3}},
             {{"type", "object"},
              {"description", "Object"},
              {"preview",
               {{"overflow", true},
                {"properties",
                 {{{"name", "a"}, {"type", "number"}, {"value", "1"}},
                  {{"name", "b"}, {"type", "string"}, {"value", "x"}}}}}}}}}}};
  const auto entry = json::parse(console_entry(*logged, cart_page, {}));
  CHECK(entry.at("level") == "log");
  CHECK(entry.at("type") == "console");
  CHECK(entry.at("args") == json{"total", 3, {{"a", 1}, {"b", "x"}, {"…", "…"}}});
  CHECK(entry.at("tab") == "p1");
  CHECK(entry.at("page_id") == "L1");
  CHECK(entry.at("ts") == "2026-01-28T14:30:00.000Z");
  const parsed_event cleared{json{{"type", "clear"}, {"args", json::array()}}};
  CHECK(console_entry(*cleared, cart_page, {}).empty());
}

TEST_CASE("an error that is logged keeps its stack, and is an exception") {
  const parsed_event logged{
      json{{"type", "error"},
           {"timestamp", 1'769'610'600'000},
           {"args",
            {{{"type", "object"},
              {"subtype", "error"},
              {"description", "Error: no cart\n    at pay (http://localhost:3000/app.js:4:7)"}}}}}};
  const auto entry = json::parse(console_entry(*logged, cart_page, {}));
  CHECK(entry.at("type") == "exception");
  CHECK(entry.at("message") == "Error: no cart");
  CHECK(entry.at("stack") == "    at pay (http://localhost:3000/app.js:4:7)");
  CHECK(entry.at("reported_by") == "console");
}

TEST_CASE("what is thrown is told with positions that count from 1, whatever it was") {
  const parsed_event thrown{
      json{{"timestamp", 1'769'610'600'000},
           {"exceptionDetails",
            {{"text", "Uncaught"},
             {"url", "http://localhost:3000/app.js"},
             {"lineNumber", 40},
             {"columnNumber", 6},
             {"exception",
              {{"description", "TypeError: x\n    at http://localhost:3000/app.js:41:7"}}}}}}};
  const auto entry = json::parse(exception_entry(*thrown, cart_page));
  CHECK(entry.at("message") == "Uncaught TypeError: x");
  CHECK(entry.at("lineno") == 41);
  CHECK(entry.at("colno") == 7);
  const parsed_event rejected{json{{"timestamp", 1'769'610'600'000},
                                   {"exceptionDetails",
                                    {{"text", "Uncaught (in promise)"},
                                     {"exception", {{"type", "string"}, {"value", "late"}}}}}}};
  CHECK(json::parse(exception_entry(*rejected, cart_page)).at("message") ==
        "Unhandled rejection: late");
}

TEST_CASE("requests end once, redirects hop by hop, and those that fail tell why") {
  request_watch watch{10};
  CHECK_FALSE(watch.sent(*parsed_event{sent("1", "http://localhost:3000/old", "Fetch", 1.0)}));
  auto moved = sent("1", "http://localhost:3000/new", "Fetch", 1.5);
  moved["redirectResponse"] = {{"status", 302}};
  const auto hop = watch.sent(*parsed_event{moved});
  REQUIRE(hop);
  CHECK(hop->redirected);
  CHECK(hop->request.status == 302);
  CHECK(hop->duration_ms == doctest::Approx(500));
  CHECK(watch.awaited() == 1);
  watch.answered(*parsed_event{json{{"requestId", "1"},
                                    {"type", "Fetch"},
                                    {"response", {{"status", 404}, {"mimeType", "text/plain"}}}}});
  const auto done = watch.finished(
      *parsed_event{json{{"requestId", "1"}, {"timestamp", 2.0}, {"encodedDataLength", 20}}});
  REQUIRE(done);
  CHECK(is_worth_a_body(*done));
  CHECK(json::parse(body_entry(*done, cart_page, "not here")).at("status") == 404);
  CHECK(watch.awaited() == 0);
  CHECK_FALSE(watch.finished(*parsed_event{json{{"requestId", "1"}, {"timestamp", 2.0}}}));

  watch.sent(*parsed_event{sent("2", "http://api.test/x", "Fetch", 3.0)});
  const auto refused = watch.failed(*parsed_event{json{
      {"requestId", "2"},
      {"timestamp", 3.1},
      {"errorText", "net::ERR_FAILED"},
      {"corsErrorStatus", {{"corsError", "MissingAllowOriginHeader"}, {"failedParameter", ""}}}}});
  REQUIRE(refused);
  const auto entry = json::parse(body_entry(*refused, cart_page, ""));
  CHECK(entry.at("status") == 0);
  CHECK(entry.at("error") == "blocked by CORS: MissingAllowOriginHeader");

  watch.sent(*parsed_event{sent("3", "http://localhost:3000/x", "Fetch", 3.0)});
  const auto cut = watch.failed(*parsed_event{json{{"requestId", "3"},
                                                   {"timestamp", 3.1},
                                                   {"errorText", "net::ERR_ABORTED"},
                                                   {"canceled", true}}});
  REQUIRE(cut);
  CHECK(cut->cause == "aborted");
}

TEST_CASE("nobody waits for requests of a document that was left, or of a frame that another "
          "process has") {
  request_watch watch{10};
  auto of_frame = sent("1", "http://other.test/inner", "Document", 1.0);
  of_frame["frameId"] = "F2";
  of_frame["loaderId"] = "L2";
  watch.sent(*parsed_event{of_frame});
  auto old = sent("2", "http://localhost:3000/slow", "Fetch", 1.0);
  old["loaderId"] = "L1";
  watch.sent(*parsed_event{old});
  CHECK(watch.awaited() == 2);
  watch.hand_over("F2");
  CHECK(watch.awaited() == 1);
  watch.leave("L3");
  CHECK(watch.awaited() == 0);
  const auto told = watch.finished(*parsed_event{json{{"requestId", "2"}, {"timestamp", 2.0}}});
  CHECK(told);
  watch.leave("L4");
  CHECK_FALSE(watch.finished(*parsed_event{json{{"requestId", "1"}, {"timestamp", 2.0}}}));
}

TEST_CASE(
    "what a request sent is told when it was JSON and failed, or is of this machine, never of a "
    "sign-in") {
  const auto told = [](const char* url, const char* body, int status) {
    request_watch watch{10};
    auto event = sent("1", url, "Fetch", 1.0);
    event["request"]["postData"] = body;
    watch.sent(*parsed_event{event});
    watch.answered(*parsed_event{
        json{{"requestId", "1"}, {"type", "Fetch"}, {"response", {{"status", status}}}}});
    const auto done = watch.finished(*parsed_event{json{{"requestId", "1"}, {"timestamp", 2.0}}});
    return json::parse(body_entry(*done, cart_page, "")).value("request_body", "");
  };
  CHECK(told("http://localhost:3000/pay", R"({"sku":"A1"})", 500) == R"({"sku":"A1"})");
  CHECK(told("http://localhost:3000/pay", R"({"sku":"A1"})", 200) == R"({"sku":"A1"})");
  CHECK(told("https://shop.test/pay", R"({"sku":"A1"})", 500) == R"({"sku":"A1"})");
  CHECK(told("https://shop.test/pay", R"({"sku":"A1"})", 200).empty());
  CHECK(told("http://localhost:3000/pay", "name=ann", 500).empty());
  CHECK(told("http://localhost:3000/login", R"({"user":"ann"})", 500).empty());
}

TEST_CASE("of what a place answers when all is well, two are told in full in each document") {
  request_watch watch{10};
  int last = 0;
  const auto is_sample = [&](const std::string& url, const char* mime, int status) {
    const auto id = std::to_string(++last);
    watch.sent(*parsed_event{sent(id.c_str(), url.c_str(), "Fetch", 1.0)});
    watch.answered(*parsed_event{json{{"requestId", id},
                                      {"type", "Fetch"},
                                      {"timestamp", 1.1},
                                      {"response", {{"status", status}, {"mimeType", mime}}}}});
    const auto done = watch.finished(
        *parsed_event{json{{"requestId", id}, {"timestamp", 1.2}, {"encodedDataLength", 90}}});
    return done->is_sample;
  };
  constexpr const char* json_type = "application/json";
  const std::string here = "http://localhost:3000/api/items/";
  CHECK(is_sample(here + "1", json_type, 200));
  CHECK(is_sample(here + "27", json_type, 200));
  CHECK_FALSE(is_sample(here + "3", json_type, 200));
  CHECK_FALSE(is_sample("http://localhost:3000/page", "text/html", 200));
  CHECK_FALSE(is_sample("http://localhost:3000/api/fails", json_type, 500));
  CHECK_FALSE(is_sample("http://localhost:3000/login", json_type, 200));
  CHECK_FALSE(is_sample("https://shop.test/api/items", json_type, 200));
  watch.leave("L2");
  CHECK(is_sample(here + "4", json_type, 200));
}

TEST_CASE("of a document's answer, what protects it is told, and what its cookies lack") {
  request_watch watch{10};
  watch.sent(*parsed_event{sent("1", "https://localhost/", "Document", 1.0)});
  watch.answered_in_full(*parsed_event{
      json{{"requestId", "1"},
           {"headers",
            {{"Set-Cookie", "sid=s3cr3t; Path=/\ntheme=dark; Secure; HttpOnly; SameSite=Lax"}}}}});
  watch.answered(*parsed_event{
      json{{"requestId", "1"},
           {"type", "Document"},
           {"response",
            {{"status", 200},
             {"mimeType", "text/html"},
             {"headers", {{"X-Content-Type-Options", "nosniff"}, {"X-Secret", "s3cr3t"}}}}}}});
  const auto done = watch.finished(*parsed_event{json{{"requestId", "1"}, {"timestamp", 2.0}}});
  const auto told = json::parse(timing_entry(*done, cart_page));
  CHECK(told.at("response_headers") ==
        json{{"content-type", "text/html"}, {"x-content-type-options", "nosniff"}});
  CHECK(told.at("sets") == json::parse(R"([{"name":"sid","lacks":"HttpOnly, Secure, SameSite"},
                                          {"name":"theme","lacks":""}])"));
}

TEST_CASE("a request that nobody gave a password for was answered") {
  request_watch watch{10};
  watch.sent(*parsed_event{sent("1", "http://localhost:3000/staff", "Document", 1.0)});
  watch.answered(*parsed_event{
      json{{"requestId", "1"}, {"type", "Document"}, {"response", {{"status", 401}}}}});
  const auto done = watch.failed(*parsed_event{json{
      {"requestId", "1"}, {"timestamp", 2.0}, {"errorText", "net::ERR_INVALID_AUTH_CREDENTIALS"}}});
  REQUIRE(done);
  CHECK(done->request.status == 401);
  CHECK(done->error.empty());
}

TEST_CASE("requests beyond the cap are counted, streams are waited for by nobody") {
  request_watch watch{2};
  watch.sent(*parsed_event{sent("1", "http://localhost:3000/events", "EventSource", 1.0)});
  watch.sent(*parsed_event{sent("2", "http://localhost:3000/a", "Script", 1.0)});
  watch.sent(*parsed_event{sent("3", "http://localhost:3000/b", "Script", 1.0)});
  CHECK(watch.awaited() == 1);
  CHECK(watch.overlooked() == 1);
}

TEST_CASE("an answer that had come whole when its page was told of it counts as such") {
  request_watch watch{10};
  const auto begin = [&](const char* id, const char* type) {
    watch.sent(*parsed_event(json{{"requestId", id},
                                  {"timestamp", 1.0},
                                  {"type", type},
                                  {"request", {{"url", "http://a/x"}, {"method", "GET"}}}}));
  };
  const auto answer = [&](const char* id, const char* type, double at) {
    watch.answered(*parsed_event(json{
        {"requestId", id}, {"timestamp", at}, {"type", type}, {"response", {{"status", 200}}}}));
  };
  const auto end = [&](const char* id, double at) {
    return watch.finished(*parsed_event(json{{"requestId", id}, {"timestamp", at}}));
  };
  begin("fetched", "Fetch");
  begin("sent", "XHR");
  begin("beacon", "Ping");
  CHECK(watch.awaited() == 2);
  CHECK(watch.unanswered() == 2);
  CHECK(watch.passing() == 1);
  answer("fetched", "Fetch", 1.5);
  answer("sent", "XHR", 1.5);
  CHECK(watch.awaited() == 2);
  CHECK(watch.unanswered() == 1);
  CHECK(watch.answered_addresses() == std::vector<std::string>{"http://a/x"});
  CHECK(watch.take_failed_answers().empty());
  CHECK(end("fetched", 1.4)->was_over);
  CHECK_FALSE(end("sent", 1.6)->was_over);
  CHECK_FALSE(end("beacon", 1.6)->was_over);
  CHECK(watch.passing() == 0);
  CHECK_FALSE(watch.has_stream());
  begin("stream", "EventSource");
  CHECK(watch.has_stream());
  begin("failed", "Fetch");
  watch.answered(*parsed_event(json{{"requestId", "failed"},
                                    {"timestamp", 2.0},
                                    {"type", "Fetch"},
                                    {"response", {{"status", 404}}}}));
  const auto failed = watch.take_failed_answers();
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].is_open);
  CHECK(failed[0].request.status == 404);
  CHECK_FALSE(end("failed", 2.1));
}

TEST_CASE("pages have handles that never come back, and go with the sessions in them") {
  page_table table;
  table.add({"S1", "T1", "page", "http://localhost:3000/", "", nullptr});
  table.add({"S2", "T2", "iframe", "http://127.0.0.1:3000/", "S1", nullptr});
  table.add({"S3", "T3", "worker", "http://127.0.0.1:3000/w.js", "S2", nullptr});
  CHECK(table.page_of("S3") == table.page_of("S1"));
  const auto page = table.by_handle("p1");
  REQUIRE(page);
  table.choose(7, page);
  CHECK(table.current(7) == page);
  table.forget(7);
  CHECK(page->owner == 0);
  CHECK(table.current(7) == nullptr);
  CHECK(table.remove("S1").size() == 3);
  CHECK(table.sessions() == 0);
  table.add({"S4", "T4", "page", "", "", nullptr});
  CHECK(table.pages().front()->handle == "p2");
}

TEST_CASE("an action's effects are over when the page has loaded and is quiet") {
  using verdict = settle_watch::verdict;
  const mono_time start{};
  settle_watch quick{start, 100ms, 30s, 3s};
  CHECK(quick.at(start + 50ms, {}) == verdict::wait);
  quick.stir(start + 80ms);
  CHECK(quick.at(start + 120ms, {}) == verdict::wait);
  CHECK(quick.at(start + 180ms, {}) == verdict::settled);
  settle_watch loading{start, 100ms, 30s, 3s};
  CHECK(loading.at(start + 10s, {true, false, 0}) == verdict::wait);
  CHECK(loading.at(start + 31s, {true, false, 0}) == verdict::too_long);
  settle_watch polling{start, 100ms, 30s, 3s};
  CHECK(polling.at(start + 2s, {false, false, 1}) == verdict::wait);
  CHECK(polling.at(start + 3s, {false, false, 1}) == verdict::settled);
  settle_watch asked{start, 100ms, 30s, 3s};
  CHECK(asked.at(start + 1ms, {true, true, 4}) == verdict::settled);
}

TEST_CASE("effects are over at once when the page has put off nothing, and not before") {
  using verdict = settle_watch::verdict;
  const mono_time start{};
  settle_watch settle{start, 100ms, 30s, 3s};
  CHECK_FALSE(settle.take_question({true}));
  CHECK_FALSE(settle.take_question({false, false, 1, 1}));
  const auto first = settle.take_question({});
  REQUIRE(first);
  CHECK_FALSE(settle.take_question({}));
  settle.at_rest(*first, true);
  CHECK(settle.at(start + 5ms, {}) == verdict::settled);
  CHECK(settle.at(start + 5ms, {false, false, 1}) == verdict::wait);
  CHECK(settle.at(start + 5ms, {false, false, 0, 0, 0, 1}) == verdict::wait);
  settle.hear(start + 6ms);
  CHECK(settle.at(start + 7ms, {}) == verdict::settled);
  settle.stir(start + 8ms); // the answer was about the time before
  CHECK(settle.at(start + 9ms, {}) == verdict::wait);
  const auto second = settle.take_question({});
  REQUIRE(second);
  settle.at_rest(*first, true);
  CHECK(settle.at(start + 9ms, {}) == verdict::wait);
  settle.ask_again(*first);
  CHECK_FALSE(settle.take_question({}));
  settle.ask_again(*second);
  CHECK(settle.take_question({}) == second);
  settle.at_rest(*second, false);
  CHECK(settle.at(start + 9ms, {false, false, 1}) == verdict::settled); // nobody reads its answer
  CHECK(settle.at(start + 9ms, {false, false, 1, 1}) == verdict::wait);
  CHECK(settle.at(start + 9ms, {false, false, 0, 0, 1}) == verdict::wait);
  settle.hold(start + 10ms);
  CHECK(settle.at(start + 109ms, {}) == verdict::wait);
  CHECK(settle.at(start + 110ms, {}) == verdict::settled);
}

TEST_CASE("what a browser says again is known by its time") {
  recent_times times;
  CHECK(times.is_new(5.25));
  CHECK(times.is_new(4.5));
  CHECK(times.is_new(6));
  CHECK_FALSE(times.is_new(5.25));
  CHECK_FALSE(times.is_new(6));
  CHECK(times.is_new(6.125));
}

TEST_CASE("what is told goes out by format and origin, within its budget") {
  limits limit;
  limit.browser.entries_bytes = 20;
  telemetry_outbox outbox{limit};
  outbox.add("logs", "http://a", R"({"a":1})");
  outbox.add("logs", "http://a", R"({"a":2})");
  outbox.add("logs", "http://b", "");
  outbox.add("logs", "http://b", R"({"a":3})");
  CHECK(outbox.dropped() == 1);
  const auto letters = outbox.take();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].body == R"([{"a":1},{"a":2}])");
  CHECK(letters[0].origin == "http://a");
  CHECK(outbox.empty());
}

TEST_CASE("interact acts in pages of this machine, and where the settings allow it") {
  const auto allowed = *read_origin_list("https://staging.test");
  for (const auto* url : {"http://localhost:3000/x", "https://127.0.0.1/", "about:blank", "",
                          "http://app.localhost/", "https://staging.test/pay"})
    CHECK_MESSAGE(!refusal_of(url, allowed), url);
  for (const auto* url : {"http://example.com/", "file:///etc/passwd", "chrome://settings",
                          "http://127.0.0.1.evil.test/", "javascript:alert(1)"})
    CHECK_MESSAGE(refusal_of(url, allowed), url);
  CHECK(meant_address("localhost:3000/x") == "http://localhost:3000/x");
  CHECK(meant_address("https://a.test") == "https://a.test");
  CHECK(meant_address("/cart?n=1", "http://localhost:3000/x?y") ==
        "http://localhost:3000/cart?n=1");
  CHECK(refusal_of(meant_address("/cart", "about:blank"), allowed)->find("names no host") !=
        std::string::npos);
  CHECK(refusal_of(meant_address("//evil.test/", "http://localhost:3000/"), allowed));
  CHECK(meant_address(" http://local\thost/a\\b?c\\d\n") == "http://localhost/a/b?c\\d");
  for (const auto* url :
       {R"(http://evil.test\.localhost/)", R"(http://evil.test\@localhost/)",
        R"(evil.test\@127.0.0.1)", R"(http:\\evil.test\.localhost)", R"(\\evil.test\.localhost)",
        "http://evil.test\\\t.localhost", "\x01http://evil.test\\.localhost",
        "java\nscript:alert(1)", " file:///etc/passwd", "view-source:http://localhost/",
        "http://localhost@evil.test/", "http://localhost:3000@evil.test/"})
    CHECK_MESSAGE(refusal_of(meant_address(url), allowed), url);
}

TEST_CASE("a body is read where it is a text and nobody signs in there") {
  ended_request ended;
  ended.request.status = 500;
  ended.request.mime = "application/json";
  ended.request.url = "http://localhost:3000/api/authors";
  CHECK(has_readable_body(ended));
  for (const auto* url :
       {"http://a/oauth", "http://a/api/auth/x", "http://a/SignIn", "http://a/token"}) {
    ended.request.url = url;
    CHECK(body_reason(ended) == "[REDACTED: auth endpoint]");
  }
  ended.request.url = "http://a/x.png";
  ended.request.mime = "image/png";
  CHECK(!has_readable_body(ended));
  ended.request.status = 0;
  CHECK(body_reason(ended).empty());
  CHECK(!has_readable_body(ended));
}
