#include "actors/noise/noise_rules.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

noise_rule user_rule(std::string pattern, noise_field field = noise_field::message) {
  noise_rule r;
  r.pattern = std::move(pattern);
  r.field = field;
  r.reason = "known";
  r.added_by = "editor";
  return r;
}

noise_mark judged(const event& e) {
  noise_rules rules{limits{}};
  return rules.judge(e);
}

constexpr literal app_stack = "TypeError: x\n    at f (https://app.test/app.js:1:2)";

} // namespace

TEST_CASE("the self-test passes") {
  CHECK(builtin_noise_works());
}

TEST_CASE("stacks of extensions only are noise, an application frame keeps the error") {
  for (const auto stack : {literal{"at f (chrome-extension://abcd/x.js:1:1)"},
                           literal{"f@moz-extension://abcd/x.js:1:1"},
                           literal{"@safari-web-extension://abcd/x.js:1:1"},
                           literal{"Error: x\n    at chrome-extension://abcd/x.js:1:1\n    at "
                                   "Array.map (<anonymous>)\n… and 3 more frames"}})
    CHECK(judged(exception_event("TypeError: x", stack)) == noise_mark::noise);
  CHECK(judged(exception_event("TypeError: x",
                               "TypeError: x\n    at g (https://app.test/a.js:1:2)\n    at f "
                               "(chrome-extension://abcd/x.js:1:1)")) == noise_mark::none);
  auto no_stack = exception_event("TypeError: x", "");
  no_stack.fields = literal{R"("filename":"chrome-extension://abcd/x.js","lineno":1)"};
  CHECK(judged(no_stack) == noise_mark::noise);
  CHECK(judged(request_event("GET", "chrome-extension://invalid/", 0)) == noise_mark::noise);
  auto policy = console_event(log_level::warn, "Refused to load");
  policy.type = entry_type::security;
  policy.fields = literal{R"("source_file":"moz-extension","line":3)"};
  CHECK(judged(policy) == noise_mark::noise);
}

TEST_CASE("a message about an extension's URL is no extension frame") {
  CHECK(judged(exception_event("Error: cannot reach chrome-extension://abcd/x.js", app_stack)) ==
        noise_mark::none);
}

TEST_CASE("the opaque cross-origin error is a hint") {
  auto e = exception_event("Script error.", "");
  e.fields = literal{R"("file":"","line":0,"col":0)"};
  CHECK(judged(e) == noise_mark::hint);
  CHECK(judged(exception_event("Uncaught Script error", "")) == noise_mark::hint);
  e.fields = literal{R"("file":"https://app.test/a.js","line":7)"};
  CHECK(judged(e) == noise_mark::none);
}

TEST_CASE("ResizeObserver loops") {
  for (const auto text : {literal{"ResizeObserver loop completed with undelivered notifications."},
                          literal{"Uncaught ResizeObserver loop limit exceeded"},
                          literal{"Error: ResizeObserver loop limit exceeded"}})
    CHECK(judged(exception_event(text, "")) == noise_mark::noise);
  CHECK(judged(exception_event("TypeError: ResizeObserver is not defined", app_stack)) ==
        noise_mark::none);
}

TEST_CASE("hot reload, favicon, aborted requests and preflights") {
  CHECK(judged(close_event("ws://localhost:5173/?token=x", 1006)) == noise_mark::noise);
  CHECK(judged(close_event("ws://127.0.0.1:5173?token=%5BREDACTED%5D", 1006)) == noise_mark::noise);
  CHECK(judged(close_event("wss://app.test/?token=x", 1006)) == noise_mark::none);
  CHECK(judged(close_event("ws://localhost:3000/chat?token=x", 1006)) == noise_mark::none);
  CHECK(judged(close_event("ws://localhost:3000/_next/webpack-hmr", 1006)) == noise_mark::noise);
  CHECK(judged(request_event("GET", "http://localhost:3000/__webpack_hmr", 404)) ==
        noise_mark::noise);
  CHECK(judged(request_event("GET", "/sockjs-node/info?t=1", 0)) == noise_mark::noise);
  CHECK(judged(request_event("GET", "/@vite/client", 504)) == noise_mark::noise);
  CHECK(judged(console_event(log_level::error, "[vite] server connection lost. Polling")) ==
        noise_mark::noise);
  CHECK(judged(console_event(log_level::error,
                             "[vite] Internal server error: Failed to resolve import")) ==
        noise_mark::none);
  CHECK(judged(console_event(log_level::error,
                             "WebSocket connection to 'ws://localhost:5173/?token=x' failed: ")) ==
        noise_mark::noise);

  CHECK(judged(request_event("GET", "https://app.test/favicon.ico", 404)) == noise_mark::noise);
  CHECK(judged(request_event("GET", "https://app.test/favicon.ico", 500)) == noise_mark::none);
  CHECK(judged(request_event("GET", "https://app.test/api/favicons/", 404)) == noise_mark::none);

  auto aborted = request_event("GET", "https://app.test/api", 0);
  aborted.message = literal{"net::ERR_ABORTED"};
  CHECK(judged(aborted) == noise_mark::noise);
  aborted.message = literal{"TypeError: Failed to fetch"};
  CHECK(judged(aborted) == noise_mark::none);
  auto logged = aborted;
  logged.kind = telemetry_kind::log;
  logged.type = entry_type::network;
  logged.fields = literal{R"("error":"net::ERR_ABORTED")"};
  CHECK(judged(logged) == noise_mark::noise);
  for (const auto text : {literal{"AbortError: The user aborted a request."},
                          literal{"Uncaught (in promise) AbortError: signal is aborted"},
                          literal{"DOMException: The operation was aborted."}})
    CHECK(judged(exception_event(text, app_stack)) == noise_mark::noise);
  CHECK(judged(exception_event("TypeError: handleAbortError is not a function", app_stack)) ==
        noise_mark::none);

  CHECK(judged(request_event("OPTIONS", "https://app.test/api", 403)) == noise_mark::noise);
  CHECK(judged(request_event("OPTIONS", "https://app.test/api", 500)) == noise_mark::none);
  CHECK(judged(request_event("GET", "https://app.test/api", 403)) == noise_mark::none);
}

TEST_CASE("a failed dynamic import is never noise") {
  constexpr literal text =
      "TypeError: Failed to fetch dynamically imported module: http://localhost:5173/@vite/x.js";
  CHECK(judged(exception_event(text, "")) == noise_mark::none);
  CHECK(judged(console_event(log_level::error, text)) == noise_mark::none);
}

TEST_CASE("opaque rejections") {
  CHECK(judged(exception_event("Non-Error promise rejection captured with keys: isTrusted", "")) ==
        noise_mark::noise);
  CHECK(judged(exception_event("Non-Error promise rejection captured with keys: code, reason",
                               "")) == noise_mark::none);
}

TEST_CASE("rules of clients mark events and count") {
  noise_rules rules{limits{}};
  const auto chatty = console_event(log_level::info, "analytics ping 7 sent");
  CHECK(rules.judge(chatty) == noise_mark::none);
  const auto added = rules.add(user_rule("^analytics ping"));
  REQUIRE(added);
  CHECK(added->id == "rule_1");
  CHECK(rules.judge(chatty) == noise_mark::noise);
  CHECK(rules.judge(console_event(log_level::error, "analytics ping failed")) == noise_mark::noise);
  CHECK(rules.judge(console_event(log_level::info, "other")) == noise_mark::none);
  CHECK(rules.rules()[0].hits == 2);
  REQUIRE(rules.add(user_rule("tracker\\.test", noise_field::url)));
  CHECK(rules.judge(request_event("GET", "https://tracker.test/x", 404)) == noise_mark::noise);
  CHECK(rules.judge(request_event("GET", "https://tracker.test/x", 0)) == noise_mark::noise);
}

TEST_CASE("a client's rule hides what matches, a learned one no uncaught error and no 5xx") {
  for (const auto origin : {rule_origin::user, rule_origin::learned}) {
    noise_rules rules{limits{}};
    auto messages = user_rule(".+");
    messages.origin = origin;
    auto urls = user_rule(".+", noise_field::url);
    urls.origin = origin;
    REQUIRE(rules.add(messages));
    REQUIRE(rules.add(urls));
    const auto protected_mark = origin == rule_origin::user ? noise_mark::noise : noise_mark::none;
    CHECK(rules.judge(exception_event("TypeError: x", app_stack)) == protected_mark);
    CHECK(rules.judge(console_event(log_level::error, "Uncaught TypeError: x")) == protected_mark);
    CHECK(rules.judge(request_event("GET", "/api", 500)) == protected_mark);
    CHECK(rules.judge(request_event("GET", "/api", 404)) == noise_mark::noise);
    CHECK(rules.judge(console_event(log_level::log, "x")) == noise_mark::noise);
  }
}

TEST_CASE("blocked in the browser, however it is worded") {
  auto worded = request_event("GET", "https://app.test/banner.js", 0);
  worded.fields = literal{R"("error":"net::ERR_BLOCKED_BY_CLIENT.Inspector")"};
  CHECK(judged(worded) == noise_mark::noise);
  CHECK(judged(request_event("POST", "https://www.google-analytics.com/g/collect", 0)) ==
        noise_mark::noise);
  CHECK(judged(request_event("GET", "https://www.googletagmanager.com/gtag/js", 0)) ==
        noise_mark::noise);
  CHECK(judged(request_event("POST", "https://www.google-analytics.com/g/collect", 503)) ==
        noise_mark::none);
  CHECK(judged(request_event("POST", "https://not-google-analytics.com/x", 0)) == noise_mark::none);
  auto marked = request_event("POST", "https://count.app.test/api/event", 0);
  marked.fields = literal{R"("cause":"blocked")"};
  CHECK(judged(marked) == noise_mark::noise);
}

TEST_CASE("what the page script knows to be on purpose") {
  for (const auto fields :
       {literal{R"("cause":"aborted")"}, literal{R"("page_id":"p","cause":"navigation")"},
        literal{R"("cause":"page")"}, literal{R"("cause":"dev_server")"},
        literal{R"("cause":"offline")"}}) {
    auto request = request_event("GET", "https://app.test/api", 0);
    request.fields = fields;
    CHECK(judged(request) == noise_mark::noise);
    auto rejection = exception_event("Unhandled rejection: TypeError: Failed to fetch", app_stack);
    rejection.fields = fields;
    CHECK(judged(rejection) == noise_mark::noise);
    auto close = close_event("wss://app.test/live", 1006);
    close.fields = fields;
    CHECK(judged(close) == noise_mark::noise);
    request.status = 500; // the server has failed, whatever the page was about
    CHECK(judged(request) == noise_mark::none);
  }
  auto other = request_event("GET", "https://app.test/api", 0);
  other.fields = literal{R"("cause":"policy")"};
  CHECK(judged(other) == noise_mark::none);
}

TEST_CASE("probes and advice") {
  for (const auto url :
       {literal{"https://app.test/manifest.webmanifest"}, literal{"/apple-touch-icon-120x120.png"},
        literal{"/.well-known/appspecific/com.chrome.devtools.json"}, literal{"/a/main.js.map"}})
    CHECK(judged(request_event("GET", url, 404)) == noise_mark::noise);
  CHECK(judged(request_event("GET", "/manifest.webmanifest", 500)) == noise_mark::none);
  CHECK(judged(request_event("GET", "/api/maps", 404)) == noise_mark::none);
  for (const auto text :
       {literal{"Warning: Each child in a list should have a unique \"key\" prop."},
        literal{"Each child in a list should have a unique \"key\" prop."},
        literal{"Received `true` for a non-boolean attribute `jsx`."}})
    CHECK(judged(console_event(log_level::error, text)) == noise_mark::noise);
  CHECK(judged(console_event(log_level::error, "Warning: An error occurred during hydration.")) ==
        noise_mark::none);
}

TEST_CASE("hot-reload sockets of any host, by token, path, mark or the client's own words") {
  CHECK(judged(close_event("ws://192.168.1.20:5173/?token=x", 1006)) == noise_mark::noise);
  CHECK(judged(close_event("ws://app.test:3000/rsbuild-hmr?token=x", 1006)) == noise_mark::noise);
  CHECK(judged(close_event("ws://localhost:3000/_next/webpack-hmr", 1006)) == noise_mark::noise);
  auto marked = close_event("ws://localhost:1234/", 1006);
  CHECK(judged(marked) == noise_mark::none);
  marked.fields = literal{R"("dev_server":"parcel")"};
  CHECK(judged(marked) == noise_mark::noise);
  noise_rules rules{limits{}};
  CHECK(rules.judge(close_event("ws://localhost:8080/ws", 1006)) == noise_mark::none);
  auto hello = console_event(log_level::info, "[webpack-dev-server] Server started.");
  hello.url = literal{"http://localhost:8080/"};
  rules.judge(hello);
  CHECK(rules.judge(close_event("ws://localhost:8080/ws", 1006)) == noise_mark::noise);
  CHECK(rules.judge(close_event("ws://localhost:3000/ws", 1006)) == noise_mark::none);
}

TEST_CASE("a learned rule hides nothing of level error") {
  noise_rules rules{limits{}};
  auto learned = user_rule("^poll");
  learned.origin = rule_origin::learned;
  REQUIRE(rules.add(learned));
  CHECK(rules.judge(console_event(log_level::warn, "poll")) == noise_mark::noise);
  CHECK(rules.judge(console_event(log_level::error, "poll")) == noise_mark::none);
  CHECK(rules.rules()[0].hits == 1);
}

TEST_CASE("what cannot be a rule is refused with a sentence") {
  limits limit;
  limit.noise.rules = 2;
  noise_rules rules{limit};
  CHECK(rules.add(user_rule("(")).error().message.find("does not compile") != std::string::npos);
  CHECK(rules.add(user_rule("")).error().message.find("missing") != std::string::npos);
  CHECK(rules.add(user_rule("x*")).error().message.find("everything") != std::string::npos);
  CHECK(rules.add(user_rule(std::string(2000, 'x'))).error().message.find("1024") !=
        std::string::npos);
  REQUIRE(rules.add(user_rule("a")));
  CHECK(rules.add(user_rule("a"))->existed);
  CHECK_FALSE(rules.add(user_rule("a", noise_field::url))->existed);
  CHECK(rules.is_full());
  CHECK(rules.add(user_rule("b")).error().message.find("limits.noise_rules") != std::string::npos);
}

TEST_CASE("removing and resetting") {
  noise_rules rules{limits{}};
  CHECK(rules.remove("rule_1").error().message.find("no rules") != std::string::npos);
  for (const auto* p : {"aaa", "bbb", "ccc"})
    REQUIRE(rules.add(user_rule(p)));
  CHECK(rules.remove("rule_2"));
  CHECK(rules.judge(console_event(log_level::log, "bbb")) == noise_mark::none);
  CHECK(rules.judge(console_event(log_level::log, "ccc")) == noise_mark::noise);
  const auto unknown = rules.remove("rule_9");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("rule_1, rule_3") != std::string::npos);
  CHECK(rules.remove("builtin_favicon").error().message.find("built in") != std::string::npos);
  CHECK(rules.reset() == 2);
  CHECK(rules.judge(console_event(log_level::log, "ccc")) == noise_mark::none);
  CHECK(rules.add(user_rule("ddd"))->id == "rule_4");
}

TEST_CASE("labels are cut to their cap") {
  noise_rules rules{limits{}};
  auto long_reason = user_rule("aaa");
  long_reason.reason = std::string(199, 'r') + "\xE2\x82\xAC";
  REQUIRE(rules.add(long_reason));
  CHECK(rules.rules()[0].reason == std::string(199, 'r'));
}
