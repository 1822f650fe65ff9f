#include "actors/detection/fault/fault_key.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

constexpr std::size_t room = 256;

std::string line(literal text) {
  return normalised_line(redacted(text), room).str();
}

std::string target(literal url) {
  return target_key(redacted(url), room).str();
}

} // namespace

TEST_CASE("what varies gives way to placeholders") {
  CHECK(line("Timeout after 3000 ms") == "Timeout after <n> ms");
  CHECK(line("Timeout after 200ms") == "Timeout after <n>ms");
  CHECK(line("offset -5 and 3.25") == "offset <n> and <n>");
  CHECK(line("at 2026-01-02T03:04:05.123Z sharp") == "at <n> sharp");
  CHECK(line("connect 10.0.0.1:8080 failed") == "connect <n> failed");
  CHECK(line("commit 3f2a91bc lost") == "commit <id> lost");
  CHECK(line("order 123e4567-e89b-12d3-a456-426614174000 gone") == "order <id> gone");
  CHECK(line("session deadbeefdeadbeef closed") == "session <id> closed");
  CHECK(line("token V1StGXR8Z5jdHi6B used") == "token <id> used");
  CHECK(line("item42 missing") == "item<n> missing");
  CHECK(line("flags 0x1F") == "flags <id>");
}

TEST_CASE("numbers that name a fault stay") {
  constexpr literal kept[] = {
      "Request failed with status code 404",
      "API 520: /x",
      "Minified React error #418; visit https://react.dev/errors/418",
      "Process exited with code 137",
      "SQLSTATE[23000]: Integrity constraint violation",
      "SQLSTATE 42P01",
      "ORA-00942: table or view does not exist",
      "NG0100: changed after it was checked",
      "MongoServerError: E11000 duplicate key",
      "error TS2322: no",
      "ERROR 1045 (HY000): Access denied",
      "[code=permission-denied]",
      "the server responded with a status of 500 (Internal Server Error)",
      "HTTP error! status: 503",
      "HTTP 502",
      "upload failed (413)",
      "503 Service Unavailable",
      "{\"statusCode\":429}",
      "duplicate key, code: '23505'",
      "Invalid invocation, code: 'P2002'",
      "command failed with exit status 2",
      "killed by signal 9",
      "connect: errno -111",
      "rpc error: code = 14 desc = gone",
      "WebSocket closed with code 1011",
      "COM error 0x80070005",
  };
  for (const auto text : kept)
    CHECK(line(text) == text.view());
}

TEST_CASE("numbers that only count or point give way, whatever they look like") {
  CHECK(line("Order 1010 failed") == "Order <n> failed");
  CHECK(line("Order 404 failed") == "Order <n> failed");
  CHECK(line("Order ORD-1010: failed") == "Order ORD-<n>: failed");
  CHECK(line("failed 500 times") == "failed <n> times");
  CHECK(line("got 450 rows of 900") == "got <n> rows of <n>");
  CHECK(line("test error 7") == "test error <n>");
  CHECK(line("zip code 40223 unknown") == "zip code <n> unknown");
  CHECK(line("5 errors in 10 s") == "<n> errors in <n> s");
  CHECK(line("Error: 3 of 5 uploads failed") == "Error: <n> of <n> uploads failed");
  CHECK(line("worker 12 died at line 404") == "worker <n> died at line <n>");
  CHECK(line("code: '4f3a2b1c9d8e7f6a5b'") == "code: '<value>'");
}

TEST_CASE("quoted values of the variable kind give way, quoted names stay") {
  CHECK(line("Cannot read properties of undefined (reading 'total')") ==
        "Cannot read properties of undefined (reading 'total')");
  CHECK(line("user \"ann@shop.test\" unknown") == "user \"<value>\" unknown");
  CHECK(line("order '2024/17' unknown") == "order '<value>' unknown");
  CHECK(line("can't find it, don't ask 17") == "can't find it, don't ask <n>");
  CHECK(line("module '@shop/cart' failed") == "module '@shop/cart' failed");
}

TEST_CASE("ordinary words stay") {
  CHECK(line("facade decade h1 x2 utf8 es6 added") == "facade decade h1 x2 utf8 es6 added");
  CHECK(line("first\nsecond 7") == "first");
  CHECK(line("").empty());
}

TEST_CASE("a target is host, unless local, and path with ids replaced") {
  CHECK(target("/api/users?page=2") == "/api/users");
  CHECK(target("http://localhost:5173/api/users/42/posts#x") == "/api/users/:id/posts");
  CHECK(target("https://api.shop.test/v1/users/123e4567-e89b-12d3-a456-426614174000") ==
        "api.shop.test/v1/users/:id");
  CHECK(target("http://127.0.0.1:8080") == "/");
  CHECK(target("http://[::1]:3000/a") == "/a");
  CHECK(target("https://ann:pw@shop.test:8443/a") == "shop.test/a");
  CHECK(target("/assets/main.3f2a1b9c.js") == "/assets/main.:id.js");
  CHECK(target("/user-123/x") == "/user-:id/x");
}

TEST_CASE("a request's key is method, path and status") {
  CHECK(request_key(request_event("POST", "/api/users", 500), room).str() == "POST:/api/users:500");
  CHECK(request_key(request_event("post", "http://localhost:3000/api/users/7?x=1", 500), room)
            .str() == "POST:/api/users/:id:500");
  CHECK(request_key(request_event("GET", "/x", 0), room).str() == "GET:/x:0");
  CHECK(request_key(request_event("GET", "/x", -1), room).str() == "GET:/x:failed");
}

TEST_CASE("an error's key is its text and file, whatever the browser put before it") {
  const auto a = exception_event(
      "Uncaught TypeError: x is not a function",
      "TypeError: x is not a function\n    at f (http://localhost:5173/src/a.ts:10:5)");
  const auto b = exception_event("TypeError: x is not a function",
                                 "f@http://localhost:5174/src/a.ts?t=1700000000:11:9");
  CHECK(error_key(a, room).str() == "error:TypeError: x is not a function in f @ /src/a.ts");
  CHECK(error_key(a, room) == error_key(b, room));
}

TEST_CASE("two functions on top of the stack are two faults, two places in one are not") {
  const auto key = [](literal stack) { return error_key(exception_event("boom", stack), room); };
  const auto a = key("at a (http://localhost:3000/a.js:1:10)");
  CHECK(a != key("at b (http://localhost:3000/a.js:1:10)"));
  CHECK(a == key("at a (http://localhost:3000/a.js:9:90)"));
  CHECK(a == key("at async Object.a [as b] (http://localhost:3000/a.js:9:90)"));
  CHECK(a == key("a@http://localhost:3000/a.js:9:90"));
  CHECK(key("at http://localhost:3000/a.js:1:1") ==
        key("at HTMLButtonElement.<anonymous> (http://localhost:3000/a.js:2:2)"));
  CHECK(key("at new Cart (http://localhost:3000/a.js:1:1)").str() ==
        "error:boom in new Cart @ /a.js");
}

TEST_CASE("the location comes from the entry when there is no stack") {
  auto e = exception_event("boom", "");
  e.fields = literal{R"("filename":"https://cdn.test/a.js","lineno":3,"colno":7)"};
  CHECK(error_location(e).str() == "https://cdn.test/a.js:3:7");
  CHECK(error_key(e, room).str() == "error:boom @ cdn.test/a.js");
  e.fields = literal{R"("source":"app.js:12")"};
  CHECK(error_location(e).str() == "app.js:12");
  e.fields = literal{R"("file":"","line":0,"col":0)"};
  CHECK(error_location(e).empty());
}

TEST_CASE("keys keep their cap and are stable for any text") {
  constexpr literal alphabet = "ab01 '\"`-:/.@?#_$<>(){}\n\tüß€xyzf9";
  const redacted_text letters = alphabet;
  const bool holds = rc::check([&] {
    const auto picks =
        *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 28));
    const auto most = *rc::gen::inRange<std::size_t>(3, 300);
    redacted_text text;
    for (const auto i : picks)
      text.append_part(letters, i, 1);
    RC_ASSERT(normalised_line(text, most).size() <= most);
    RC_ASSERT(normalised_line(text, most) == normalised_line(text, most));
    RC_ASSERT(target_key(text, most).size() <= most);
    event e = exception_event("", "");
    e.message = text;
    e.stack = text;
    e.url = text;
    RC_ASSERT(error_key(e, most).size() <= most);
    RC_ASSERT(request_key(e, most).size() <= most);
  });
  CHECK(holds);
}

TEST_CASE("a long message is cut within the cap") {
  redacted_text text;
  for (int i = 0; i < 1000; ++i)
    text += "word ";
  auto e = exception_event("", "at f (https://shop.test/app.js:1:1)");
  e.message = text;
  CHECK(error_key(e, room).size() <= room);
  CHECK(error_key(e, room).str().find("shop.test/app.js") != std::string::npos);
}
