#include "actors/mcp_tools/observe/answer/error_item.hpp"
#include "actors/mcp_tools/observe/errors_mode.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

constexpr std::size_t most_bytes = 400;

store_page page_of(const event& e, std::uint64_t count = 1) {
  store_page out;
  out.groups.push_back({std::make_shared<const event>(e), e.at, count});
  return out;
}

json item_for(const event& e, const store_page& around = {}) {
  const auto call = plain_call(errors_view(), limits{}, 8192);
  const auto page = page_of(e);
  const auto items = error_items(call, page, around);
  REQUIRE(items.size() == 1);
  const auto text = items.front().json();
  CHECK_MESSAGE(text.size() <= most_bytes, text);
  return json::parse(text);
}

event react_error() {
  auto e = exception_event(
      "Uncaught TypeError: Cannot read properties of undefined (reading 'value')",
      "TypeError: Cannot read properties of undefined (reading 'value')\n"
      "    at src/App.jsx:4:70\n    at Array.reduce (<anonymous>)\n"
      "    at Total (src/App.jsx:4:26)\n"
      "    at Object.react_stack_bottom_frame "
      "(http://localhost:3000/node_modules/.vite/deps/react-dom_client.js?v=4c:14139:12)\n"
      "    at renderWithHooks "
      "(http://localhost:3000/node_modules/.vite/deps/react-dom_client.js?v=4c:4397:19)");
  e.url = literal{"http://localhost:3000/watched.html"};
  e.page = e.url;
  e.fields = literal{
      R"("source":"http://localhost:3000/src/App.jsx:6","page_id":"p1","error_id":"e1",)"
      R"("filename":"http://localhost:3000/src/App.jsx","lineno":6,"colno":69,"component":"Total")"};
  return e;
}

TEST_CASE("an error is told once, in few bytes") {
  const auto item = item_for(react_error());
  CHECK(item["stack"] ==
        "at src/App.jsx:4:70\nat Total (src/App.jsx:4:26)\n+3 in react-dom_client");
  CHECK(item["url"] == "http://localhost:3000/watched.html");
  CHECK(item["component"] == "Total");
  for (const char* key : {"page", "source", "filename", "lineno", "error_id", "level", "type"})
    CHECK_FALSE(item.contains(key));
}

TEST_CASE("an error of any size has few bytes") {
  redacted_text many = literal{"TypeError: x"};
  redacted_text long_text;
  for (int i = 0; i < 10'000; ++i) {
    many += literal{"\n    at f (http://localhost:3000/some/long/folder/of/a/file/app.js:1:2)"};
    long_text += literal{"word \"\\ "};
  }
  auto e = react_error();
  e.stack = many;
  CHECK(item_for(e)["stack"].get<std::string>().find("more") != std::string::npos);
  e.message = long_text;
  e.url = redacted(literal{"http://localhost:3000/"}, long_text);
  e.page = literal{"http://localhost:3000/"};
  item_for(e);
}

TEST_CASE("without a stack the place is told") {
  auto e = react_error();
  e.stack = {};
  CHECK(item_for(e)["at"] == "/src/App.jsx:6:69");
}

TEST_CASE("what led to an error stands with it, the last first to be kept") {
  auto click = console_event(log_level::info, "");
  click.kind = telemetry_kind::action;
  click.name = literal{"click"};
  click.fields = literal{R"("selectors":{"css":"#pay","text":"Pay"})"};
  click.page = literal{"http://localhost:3000/watched.html"};
  auto request = request_event("GET", "http://localhost:3000/api/items", 200);
  request.page = click.page;
  request.fields = literal{R"("response_body":"{\"name\":\"lamp\",\"price\":null}")"};
  store_page around;
  around.groups.push_back({std::make_shared<const event>(request), request.at, 1});
  around.groups.push_back({std::make_shared<const event>(click), click.at, 1});
  auto e = exception_event("TypeError: x", "    at f (src/a.js:1:2)");
  e.url = click.page;
  CHECK(item_for(e, around)["before"] == json{"click \"Pay\"", "GET /api/items 200 price: null"});
}

} // namespace
