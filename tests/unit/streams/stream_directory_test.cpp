#include "actors/streams/stream_admission.hpp"
#include "actors/streams/stream_answers.hpp"
#include "actors/streams/stream_commands.hpp"
#include "actors/streams/stream_directory.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;
using nlohmann::json;

namespace {

std::shared_ptr<const redaction_engine> masking() {
  static const auto engine =
      std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
  return engine;
}

/// A directory with short ways to use it.
struct streams {
  explicit streams(limits l = {}) : limit(l), directory(masking(), l) {
    directory.create_built_in(alerts_stream, stream_type::sse);
  }

  json run(stream_command asked, const asking_party& caller = {}) {
    stream_effects effects;
    const auto command = admitted_command(directory, std::move(asked), caller, limit);
    const auto answer = command
                            ? run_stream_command(directory, *command, wall_time{}, limit, effects)
                            : answer_of(command.error());
    last = answer.outcome;
    return json::parse(answer.text);
  }

  json create(const std::string& name, const std::string& type = "", std::uint64_t size = 1000) {
    return run(create_stream{name, type, size});
  }

  json publish(const std::string& name, const std::string& data, const std::string& topic = "") {
    return run(publish_event{name, data, "", topic, ""});
  }

  std::string subscribe(client_id client, const std::string& name, const std::string& topic = "") {
    const auto made = directory.subscribe(client, name, topic);
    return made ? (*made)->id : made.error().sentence;
  }

  stream_page read(client_id client, const std::string& id, std::uint64_t most = 100) {
    return directory.read({client, id, std::nullopt, most, 1U << 20U, {}});
  }

  limits limit;
  stream_directory directory;
  stream_outcome last = stream_outcome::done;
};

std::vector<std::string> data_of(const stream_page& page) {
  std::vector<std::string> out;
  for (const auto& e : page.events)
    out.push_back(e->data.str());
  return out;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("streams are created with type, size and name") {
  streams s;
  CHECK(s.create("order-events", "sse") ==
        json{{"status", "created"}, {"stream_name", "order-events"}, {"stream_type", "sse"}});
  CHECK(s.create("plain").at("stream_type") == "in_memory");
  const auto again = s.create("plain");
  CHECK(again.at("status") == "error");
  CHECK(s.last == stream_outcome::exists);
  CHECK(again.at("message").get<std::string>().find("exists already") != std::string::npos);
  CHECK(s.create("x", "kafka").at("message").get<std::string>().find("in_memory, sse, topic") !=
        std::string::npos);
}

TEST_CASE("wrong names and sizes are refused") {
  streams s;
  for (const auto& name : texts{"", "a b", "a/b", "a.b", "ä", "$alerts", "$x", std::string(65, 'a'),
                                "a\n", std::string{"a\0b", 3}, "../x", "*", ">"}) {
    CHECK_MESSAGE(s.create(name).at("status") == "error", name);
    CHECK(s.last == stream_outcome::invalid);
  }
  CHECK(s.create(std::string(64, 'a')).at("status") == "created");
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{100'001}, ~std::uint64_t{0}})
    CHECK(s.create("n", "", size).at("status") == "error");
}

TEST_CASE("publishing answers an id and a time, and refuses what is unknown or too large") {
  limits tight;
  tight.stream.event_bytes = 100;
  streams s{tight};
  s.create("a");
  const auto published = s.publish("a", R"({"n":1})");
  CHECK(published.at("status") == "published");
  CHECK(published.at("event_id").get<std::string>().size() == 36);
  CHECK(published.at("timestamp") == "1970-01-01T00:00:00.000Z");
  CHECK(s.publish("b", "1").at("status") == "error");
  CHECK(s.last == stream_outcome::not_found);
  CHECK(s.publish("a", '"' + std::string(200, 'x') + '"').at("status") == "error");
  CHECK(s.last == stream_outcome::too_large);
  CHECK(s.publish("a", "1", "orders.*").at("status") == "error");
  CHECK(s.run(publish_event{"a", "1", "x\r\ndata: forged", "", ""}).at("status") == "error");
  CHECK(s.publish("$alerts", "1").at("status") == "error");
  CHECK(s.last == stream_outcome::forbidden);
  CHECK(s.directory.refused() == 1);
}

TEST_CASE("event data is redacted when it is published") {
  streams s;
  s.create("a");
  const auto id = s.subscribe(1, "a");
  s.run(publish_event{"a", R"({"password":"hunter2hunter2","ok":1})", "", "",
                      R"({"authorization":"Bearer abcdefghijklmnop"})"});
  const auto page = s.read(1, id);
  REQUIRE(page.events.size() == 1);
  CHECK(page.events[0]->data.str().find("hunter2") == std::string::npos);
  CHECK(json::parse(page.events[0]->data.str()).at("ok") == 1);
  CHECK(page.events[0]->metadata.str().find("abcdefgh") == std::string::npos);
}

TEST_CASE("a subscription reads what is new, once, in order, through its filter") {
  streams s;
  s.create("a", "topic");
  s.publish("a", "0", "x.y");
  const auto all = s.subscribe(1, "a");
  const auto some = s.subscribe(1, "a", "orders.*");
  s.publish("a", "1", "orders.created");
  s.publish("a", "2", "x.y");
  s.publish("a", "3");
  CHECK(data_of(s.read(1, all)) == texts{"1", "2", "3"});
  CHECK(data_of(s.read(1, all)).empty());
  CHECK(data_of(s.read(1, some)) == texts{"1", "3"});
  s.publish("a", "4", "orders.paid");
  CHECK(data_of(s.read(1, some)) == texts{"4"});
}

TEST_CASE("a page that ends early says how much is left and goes on from there") {
  streams s;
  s.create("a");
  const auto id = s.subscribe(1, "a");
  for (int i = 1; i <= 5; ++i)
    s.publish("a", std::to_string(i));
  const auto first = s.read(1, id, 2);
  CHECK(data_of(first) == texts{"1", "2"});
  CHECK(first.left == 3);
  CHECK(data_of(s.read(1, id, 2)) == texts{"3", "4"});
  const auto again = s.directory.read({1, id, 2, 100, 1U << 20U, {}});
  CHECK(data_of(again) == texts{"3", "4", "5"});
}

TEST_CASE("what did not reach the client is new again") {
  streams s;
  s.create("a");
  const auto id = s.subscribe(1, "a");
  s.publish("a", "1");
  auto page = s.read(1, id);
  s.directory.unread(1, id, page.from, page.to);
  CHECK(data_of(s.read(1, id)) == texts{"1"});
  s.publish("a", "2");
  page = s.read(1, id);
  s.publish("a", "3");
  s.read(1, id);
  s.directory.unread(1, id, page.from, page.to); // more was read since
  CHECK(data_of(s.read(1, id)).empty());
}

TEST_CASE("subscriptions belong to their client and end with it, their stream, or when told") {
  streams s;
  s.create("a");
  s.create("b");
  const auto mine = s.subscribe(1, "a");
  const auto theirs = s.subscribe(2, "a");
  const auto other = s.subscribe(1, "b");
  CHECK_FALSE(s.read(2, mine).problem.empty());
  CHECK_FALSE(s.directory.unsubscribe(2, mine));
  CHECK(s.directory.find("a")->subscriptions.size() == 2);
  CHECK(s.run(end_subscription{1, mine}).at("status") == "unsubscribed");
  CHECK_FALSE(s.read(1, mine).problem.empty());
  s.directory.forget(2);
  CHECK(s.directory.find("a")->subscriptions.empty());
  CHECK(s.run(delete_stream{"b"}).at("ended_subscriptions") == 1);
  CHECK(s.read(1, other).problem.find("no subscription") != std::string::npos);
  CHECK_FALSE(s.read(2, theirs).problem.empty());
  CHECK(s.directory.subscriptions() == 0);
}

TEST_CASE("a purged stream is empty and everyone has read it") {
  streams s;
  s.create("a");
  const auto id = s.subscribe(1, "a");
  s.publish("a", "1");
  CHECK(s.run(purge_stream{"a"}).at("purged_events") == 1);
  const auto page = s.read(1, id);
  CHECK(page.events.empty());
  CHECK(page.missed == 0);
  CHECK(s.run(purge_stream{"$alerts"}).at("status") == "error");
  CHECK(s.run(delete_stream{"$alerts"}).at("status") == "error");
}

TEST_CASE("the status lists streams, and the built-in one only by name") {
  streams s;
  CHECK(s.run(show_streams{std::nullopt, "", 8192}) ==
        json{{"streams", json::array()}, {"total_streams", 0}});
  s.create("b", "topic", 10);
  s.create("a");
  s.publish("b", "1", "orders.created");
  const auto all = s.run(show_streams{std::nullopt, "", 8192});
  CHECK(all.at("total_streams") == 2);
  CHECK(all.at("streams").at(1) == json{{"name", "b"},
                                        {"type", "topic"},
                                        {"subscriber_count", 0},
                                        {"buffered_events", 1},
                                        {"buffer_capacity", 10},
                                        {"topics", {"orders.created"}}});
  CHECK_FALSE(all.at("streams").at(0).contains("topics"));
  CHECK(s.run(show_streams{"none", "", 8192}).at("streams").empty());
  CHECK(s.run(show_streams{"$alerts", "", 8192}).at("streams").at(0).at("type") == "sse");
}

TEST_CASE("a long status comes in parts") {
  streams s;
  for (int i = 0; i < 500; ++i)
    s.create("s" + std::to_string(1000 + i));
  std::string cursor;
  std::size_t seen = 0;
  int parts = 0;
  do {
    const auto part = s.run(show_streams{std::nullopt, cursor, 8192});
    CHECK(part.dump().size() <= 8192);
    CHECK(part.at("total_streams") == 500);
    seen += part.at("streams").size();
    cursor = part.value("cursor", "");
    ++parts;
  } while (!cursor.empty() && parts < 20);
  CHECK(seen == 500);
  CHECK(parts > 3);
}

TEST_CASE("a POST holds one event or a list whose bad entries are named") {
  streams s;
  s.create("a");
  const auto post = [&](const std::string& body) { return s.run(post_events{"a", body}); };
  CHECK(post(R"({"data":{"b":[1,2]},"topic":"x","event_type":"t","metadata":{"m":1}})")
            .at("status") == "published");
  CHECK(post(R"({"data":null})").at("status") == "published");
  const auto list = post(R"([{"data":1},{"topic":"x"},{"data":2,"topic":"a b"},7,{"data":3}])");
  CHECK(list.at("count") == 2);
  CHECK(list.at("rejected") == 3);
  CHECK(list.at("errors").at(1).at("index") == 2);
  for (const auto& body : texts{"", "[]", "7", "{", R"({"data":1,"topic":5})", "[{}]",
                                R"({"data":1,"metadata":[]})", std::string(300, '[')}) {
    CHECK_MESSAGE(post(body).at("status") == "error", body);
    CHECK(s.last == stream_outcome::invalid);
  }
  CHECK(s.run(post_events{"none", R"({"data":1})"}).at("status") == "error");
  CHECK(s.last == stream_outcome::not_found);
  CHECK(s.directory.find("a")->ring.size() == 4);
}

TEST_CASE("a stream is made by a POST, too") {
  streams s;
  CHECK(s.run(post_stream{R"({"name":"a","stream_type":"topic","buffer_size":5})"}).at("status") ==
        "created");
  CHECK(s.directory.find("a")->ring.capacity() == 5);
  for (const auto* body : {R"({"name":"b","buffer_size":"5"})", R"({"name":"b","buffer_size":-1})",
                           R"({"name":"b","buffer_size":0.5})", R"({"name":7})", "[]", "",
                           R"({"name":"b","buffer_size":1000000000000})"})
    CHECK_MESSAGE(s.run(post_stream{body}).at("status") == "error", body);
}

TEST_CASE("a page uses the streams of its origin, and others by their key") {
  streams s;
  const asking_party program;
  const asking_party token{true, "http://other.test"};
  const asking_party dash{false, "http://dash.test"};
  const asking_party other{false, "http://other.test"};
  const auto made = s.run(post_stream{R"({"name":"of_dash"})"}, dash);
  const std::string key = made.at("stream_key");
  CHECK(key.size() == 64);
  s.create("of_program");
  const auto is_refused = [&](stream_command command, const asking_party& caller) {
    s.run(std::move(command), caller);
    return s.last == stream_outcome::forbidden;
  };
  const auto commands_on = [](const std::string& name) {
    return std::vector<stream_command>{
        publish_event{name, "1", "", "", ""}, post_events{name, R"({"data":1})"},
        show_streams{name, {}, 10'000}, show_stream_events{name, 10'000}, purge_stream{name}};
  };
  for (const auto& command : commands_on("of_dash")) {
    CHECK_FALSE(is_refused(command, program));
    CHECK_FALSE(is_refused(command, dash));
    CHECK_FALSE(is_refused(command, token));
    CHECK_FALSE(is_refused(command, {false, "http://other.test", key}));
    CHECK(is_refused(command, other));
    CHECK(is_refused(command, {false, "http://other.test", key.substr(1) + "g"}));
  }
  for (const auto& command : commands_on("of_program")) {
    CHECK(is_refused(command, dash));
    CHECK_FALSE(is_refused(command, program));
  }
  CHECK(s.run(show_streams{std::nullopt, {}, 10'000}, other).at("total_streams") == 0);
  CHECK(s.run(show_streams{std::nullopt, {}, 10'000}, dash).at("streams").size() == 1);
  CHECK(s.run(show_streams{std::nullopt, {}, 10'000}, program).at("total_streams") == 2);
  CHECK_FALSE(is_refused(show_stream_events{std::string{alerts_stream}, 10'000}, other));
  CHECK(is_refused(delete_stream{"of_dash"}, other));
  CHECK_FALSE(is_refused(delete_stream{"of_dash"}, dash));
}

TEST_CASE("the budget of all streams drops the oldest events, whosever they are") {
  limits tight;
  tight.stream.total_bytes = 10'000;
  streams s{tight};
  s.create("old");
  s.create("new");
  for (int i = 0; i < 5; ++i)
    s.publish("old", '"' + std::string(500, 'x') + '"');
  for (int i = 0; i < 50; ++i)
    s.publish("new", '"' + std::string(500, 'x') + '"');
  CHECK(s.directory.find("old")->ring.size() == 0);
  CHECK(s.directory.find("new")->ring.size() > 5);
  CHECK(s.directory.bytes() <= 10'000);
  CHECK(s.directory.evicted() == 55 - s.directory.find("new")->ring.size());
}

TEST_CASE("the budget holds whatever happens, and what is buffered is the newest") {
  const bool holds = rc::check([] {
    limits tight;
    tight.stream.total_bytes = 20'000;
    tight.stream.bytes = 12'000;
    streams s{tight};
    const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 5), rc::gen::inRange(0, 2000)));
    for (const auto& [which, size] : steps) {
      const auto name = "s" + std::to_string(which);
      if (size % 13 == 0)
        s.run(delete_stream{name});
      else if (size % 11 == 0)
        s.run(purge_stream{name});
      s.create(name, "", static_cast<std::uint64_t>(size % 9) + 1);
      s.publish(name, '"' + std::string(static_cast<std::size_t>(size), 'x') + '"');
    }
    std::uint64_t bytes = 0;
    s.directory.for_each_behind({}, [&](const named_stream& stream) {
      bytes += stream.ring.bytes();
      return true;
    });
    RC_ASSERT(bytes == s.directory.bytes());
    RC_ASSERT(bytes <= 20'000U);
  });
  CHECK(holds);
}

TEST_CASE("10,000 streams and 10,000 subscriptions hold, and no more than the caps") {
  limits tight;
  tight.stream.count = 10'000;
  tight.stream.subscriptions = 10'000;
  streams s{tight};
  for (int i = 0; i < 10'000; ++i) {
    const auto name = "s" + std::to_string(i);
    REQUIRE(s.create(name).at("status") == "created");
    REQUIRE(s.subscribe(1, name).starts_with("sub-"));
  }
  CHECK(s.create("more").at("status") == "error");
  CHECK(s.last == stream_outcome::full);
  CHECK_FALSE(s.subscribe(1, "s1").starts_with("sub-"));
  CHECK(s.directory.size() == 10'000);
  s.directory.forget(1);
  CHECK(s.directory.subscriptions() == 0);
}
