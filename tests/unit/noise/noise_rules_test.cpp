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
  logged.source = event_source::logs;
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

TEST_CASE("no rule hides an uncaught error or a 5xx") {
  noise_rules rules{limits{}};
  REQUIRE(rules.add(user_rule(".+")));
  REQUIRE(rules.add(user_rule(".+", noise_field::url)));
  CHECK(rules.judge(exception_event("TypeError: x", app_stack)) == noise_mark::none);
  CHECK(rules.judge(console_event(log_level::error, "Uncaught TypeError: x")) == noise_mark::none);
  CHECK(rules.judge(request_event("GET", "/api", 500)) == noise_mark::none);
  CHECK(rules.judge(request_event("GET", "/api", 404)) == noise_mark::noise);
  CHECK(rules.judge(console_event(log_level::log, "x")) == noise_mark::noise);
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
