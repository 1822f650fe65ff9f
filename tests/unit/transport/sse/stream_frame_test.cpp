#include "actors/redaction/redaction_engine.hpp"
#include "messages/base/sse_parser.hpp"
#include "transport/http/head/url_encoding.hpp"
#include "transport/sse/stream_frame.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <string>
#include <vector>

using namespace gasoline;

namespace {

const redaction_engine& masking() {
  static const redaction_engine engine{{}};
  return engine;
}

stream_event sample(const std::string& type, const std::string& text) {
  stream_event out;
  out.id = 7;
  out.life = 0x3f;
  out.type = masking().text(type);
  out.data = masking().text(text);
  return out;
}

std::vector<sse_received> parsed(sse_parser& parser, std::string_view bytes) {
  std::vector<sse_received> out;
  parser.feed(bytes, [&](const sse_received& e) { out.push_back(e); });
  return out;
}

} // namespace

TEST_CASE("an event is one frame with id, type and data") {
  std::string out;
  append_stream_frame(out, sample("order", R"({"n":1})"), stream_format::data);
  CHECK(out == "id: 0000003f-7\nevent: order\ndata: {\"n\":1}\n\n");
}

TEST_CASE("line breaks in any field forge nothing") {
  std::string out;
  append_stream_frame(out, sample("a\r\ndata: forged\n\nid: 9", "x\r\ny\nz\rid: 99"),
                      stream_format::data);
  sse_parser parser{1000};
  const auto events = parsed(parser, out);
  REQUIRE(events.size() == 1);
  CHECK(events[0].id == "0000003f-7");
  CHECK(events[0].data == "x\ny\nz\nid: 99");
}

TEST_CASE("the whole event is one JSON object") {
  auto e = sample("order", R"({"n":1})");
  e.topic = masking().text("a.b");
  e.uuid = "u";
  std::string out;
  append_stream_frame(out, e, stream_format::full);
  sse_parser parser{1000};
  const auto events = parsed(parser, out);
  REQUIRE(events.size() == 1);
  const auto whole = nlohmann::json::parse(events[0].data);
  CHECK(whole.at("topic") == "a.b");
  CHECK(whole.at("data").at("n") == 1);
  CHECK(whole.at("id") == 7);
}

TEST_CASE("ids that this program cannot have sent are none") {
  CHECK(parse_event_id("0")->id == 0U);
  CHECK_FALSE(parse_event_id("0")->life);
  CHECK(parse_event_id("18446744073709551615")->id == ~std::uint64_t{0});
  CHECK(parse_event_id("0000003f-7")->id == 7);
  CHECK(parse_event_id("0000003f-7")->life == stream_life{0x3f});
  CHECK(parse_event_id("ffffffff-0")->life == ~stream_life{0});
  for (const auto* id : {"", "3f-7", "0000003f-", "0000003f--7", "-7", "0000003g-7", "0000003f-7-1",
                         "00000003f-7", "-1", "+1", "1.5", "0x1", "abc", "1 ", " 1",
                         "18446744073709551616", "99999999999999999999999999", "1\r\n"})
    CHECK_FALSE_MESSAGE(parse_event_id(id), id);
}

TEST_CASE("a parser takes a stream however it is cut") {
  const std::string bytes = "retry: 250\nid: 3\n\n: comment\r\nid: 4\r\nevent: a\r\ndata: x\r\n"
                            "data:y\r\n\r\ndata\rdata: \r\rid: 5\ndata: cut";
  const bool holds = rc::check([&] {
    const auto cuts =
        *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9));
    sse_parser parser{1000};
    std::vector<sse_received> events;
    std::string_view left = bytes;
    for (std::size_t i = 0; !left.empty(); ++i) {
      const auto size = i < cuts.size() ? cuts[i] : left.size();
      const auto piece = left.substr(0, size);
      left.remove_prefix(piece.size());
      for (auto& e : parsed(parser, piece))
        events.push_back(e);
    }
    RC_ASSERT(events.size() == 2U);
    RC_ASSERT(events[0].id == "4");
    RC_ASSERT(events[0].type == "a");
    RC_ASSERT(events[0].data == "x\ny");
    RC_ASSERT(events[1].type == "message");
    RC_ASSERT(events[1].data == "\n");
    RC_ASSERT(parser.last_id() == "4");
    RC_ASSERT(parser.retry_ms() == std::optional<std::uint64_t>{250});
  });
  CHECK(holds);
}

TEST_CASE("an interrupted event is not counted as received") {
  sse_parser parser{1000};
  CHECK(parsed(parser, "id: 1\ndata: a\n\nid: 2\ndata: b\n").size() == 1);
  parser.restart();
  CHECK(parser.last_id() == "1");
  const auto events = parsed(parser, "id: 2\ndata: b\n\n");
  REQUIRE(events.size() == 1);
  CHECK(events[0].data == "b");
}

TEST_CASE("query parameters are decoded") {
  CHECK(query_parameter("topic=orders.%3E&x=1", "topic") == "orders.>");
  CHECK(query_parameter("x=1&topic=a+b", "topic") == "a b");
  CHECK(query_parameter("topic", "topic") == "");
  CHECK(query_parameter("topic=%G0", "topic") == "");
  CHECK_FALSE(query_parameter("atopic=1&", "topic"));
  CHECK_FALSE(query_parameter("", "topic"));
}
