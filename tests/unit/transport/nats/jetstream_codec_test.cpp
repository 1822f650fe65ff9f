#include "actors/redaction/redaction_engine.hpp"
#include "transport/nats/jetstream_codec.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace gasoline;
using nlohmann::json;

namespace {

stream_event sample_stored(const std::string& topic) {
  static const redaction_engine engine{{}};
  stream_event e;
  e.uuid = "u-1";
  e.at = *from_iso8601("2026-01-28T14:30:00.250Z");
  e.type = engine.text("changed");
  e.topic = engine.text(topic);
  e.data = engine.json_value(R"({"n":1})");
  e.metadata = engine.json_value(R"({"by":"ci"})");
  return e;
}

} // namespace

TEST_CASE("an event comes back from its message as it was") {
  for (const std::string topic : {"", "orders.created"}) {
    const auto e = sample_stored(topic);
    auto message = message_of("s-1", e);
    CHECK(message.subject == (topic.empty() ? "gasoline.s-1._" : "gasoline.s-1.orders.created"));
    const auto back = event_of("s-1", std::move(message), {"c", 7, 1, wall_time{}});
    CHECK(back.id == 7);
    CHECK(back.uuid == e.uuid);
    CHECK(back.at == e.at);
    CHECK(back.type == e.type.str());
    CHECK(back.topic == topic);
    CHECK(back.data == e.data.str());
    CHECK(back.metadata == e.metadata.str());
  }
}

TEST_CASE("what another program has published has an id and a time") {
  nats_message foreign;
  foreign.subject = "gasoline.s.a";
  foreign.data = "plain";
  const auto at = *from_iso8601("2026-01-28T14:30:00.000Z");
  const auto e = event_of("s", std::move(foreign), {"c", 3, 3, at});
  CHECK(e.uuid == "s-3");
  CHECK(e.at == at);
  CHECK(e.topic == "a");
  CHECK(e.type.empty());
}

TEST_CASE("the place of a delivery is read from both forms of its reply subject") {
  const auto place = delivery_place_of("$JS.ACK.gasoline_s.C-1.1.42.7.1700000000000000000.0");
  REQUIRE(place);
  CHECK(place->consumer == "C-1");
  CHECK(place->id == 42);
  CHECK(place->delivery == 7);
  CHECK(place->at == wall_time{std::chrono::milliseconds{1'700'000'000'000}});
  const auto longer =
      delivery_place_of("$JS.ACK._.hash.gasoline_s.C-1.1.42.7.1700000000000000000.0.random");
  REQUIRE(longer);
  CHECK(longer->consumer == "C-1");
  CHECK(longer->id == 42);
  for (const auto* text : {"", "$JS", "$JS.ACK.a.b.1.x.2.3.4", "$JS.FC.a.b.1.2.3.4.5", "........"})
    CHECK_FALSE(delivery_place_of(text));
}

TEST_CASE("a stream's type and size travel with it") {
  const shared_stream wanted{"orders", stream_type::topic, 50};
  auto info = json{{"config", json::parse(jetstream_request(wanted, nats_settings{}, limits{}))},
                   {"created", "then"},
                   {"state", {{"messages", 3U}, {"first_seq", 5U}, {"last_seq", 7U}}}};
  const auto found = jetstream_stream_of(info);
  REQUIRE(found);
  CHECK(found->stream.name == "orders");
  CHECK(found->stream.type == stream_type::topic);
  CHECK(found->stream.buffer_size == 50);
  CHECK(found->stream.oldest == 5);
  CHECK(found->stream.newest == 7);
  CHECK(found->created == "then");
  info["state"] = {{"messages", 0U}, {"first_seq", 8U}, {"last_seq", 7U}};
  CHECK(jetstream_stream_of(info)->stream.oldest == 8);
}

TEST_CASE("JetStream keeps more than fits into a stream's buffer, for who is behind") {
  limits limit;
  limit.stream.bytes = 1'000;
  limit.nats.unacknowledged_bytes = 500;
  const auto wanted =
      json::parse(jetstream_request({"s", stream_type::sse, 50}, nats_settings{}, limit));
  CHECK(wanted.at("max_msgs").get<std::uint64_t>() > 10'000);
  CHECK(wanted.at("max_bytes") == 1'500);
}

TEST_CASE("a description that someone has changed is read as far as it goes") {
  const auto size_in = [](const char* description) {
    const auto found = jetstream_stream_of(
        {{"config", {{"name", "gasoline_s"}, {"description", description}, {"max_msgs", 7U}}}});
    return found->stream.buffer_size;
  };
  CHECK(size_in("Gasoline stream of type sse with 9 events") == 9);
  for (const auto* text :
       {"", "mine", "Gasoline stream of type sse", "Gasoline stream of type ",
        "Gasoline stream of type sse with 0 events", "Gasoline stream of type sse with -1 events",
        "Gasoline stream of type sse with  events"})
    CHECK(size_in(text) == default_buffer_size);
}

TEST_CASE("what is no stream of this program's is none, whatever it looks like") {
  for (const auto* text : {R"({})", R"([])", R"(null)", R"({"config":7})",
                           R"({"config":{"name":"gasoline_"}})", R"({"config":{"name":"other"}})"})
    CHECK_FALSE(jetstream_stream_of(json::parse(text)));
  const auto odd = jetstream_stream_of(
      json::parse(R"({"config":{"name":"gasoline_x","max_msgs":-1},"state":"gone"})"));
  REQUIRE(odd);
  CHECK(odd->stream.buffer_size == default_buffer_size);
  CHECK(odd->stream.newest == 0);
}
