#include "tests/unit/support/engine_client.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

json read_document(engine_client& client, const std::string& uri) {
  const auto contents = client.result("resources/read", {{"uri", uri}}).at("contents");
  REQUIRE(contents.size() == 1);
  CHECK(contents[0].at("uri") == uri);
  CHECK(contents[0].at("mimeType") == "application/json");
  return json::parse(contents[0].at("text").get<std::string>());
}

constexpr const char* ci_failure =
    R"({"status":"failure","source":"github-actions","ref":"main","commit":"abc123","summary":"2 failed"})";

} // namespace

TEST_CASE("resources/list names the guide first, with its size, and every live resource") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  const auto resources = client.result("resources/list").at("resources");
  std::vector<std::string> uris;
  for (const auto& r : resources) {
    uris.push_back(r.at("uri"));
    for (const auto* field : {"name", "title", "description", "mimeType"})
      CHECK_MESSAGE(!r.at(field).get<std::string>().empty(), field);
  }
  CHECK(uris == std::vector<std::string>{"gasoline://guide", "gasoline://alerts",
                                         "gasoline://errors", "gasoline://ci",
                                         "gasoline://health"});
  const auto guide = client.result("resources/read", {{"uri", "gasoline://guide"}});
  CHECK(resources[0].at("size") == guide.at("contents")[0].at("text").get<std::string>().size());
  CHECK(client.result("resources/list").at("resources") == resources);
}

TEST_CASE("lists have one page: a cursor other than the empty one is refused") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  for (const auto* method :
       {"resources/list", "resources/templates/list", "prompts/list", "tools/list"}) {
    CAPTURE(method);
    const auto refused = client.request(method, {{"cursor", "e7"}});
    CHECK(refused.at("error").at("code") == -32602);
    CHECK(client.request(method, {{"cursor", ""}}).contains("result"));
    CHECK(!client.result(method).contains("nextCursor"));
  }
}

TEST_CASE("live resources hold what observe shows, and who has read the alerts is not told again") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  engine.post_error("boom in the cart");
  engine.post("ci", ci_failure);
  const auto alerts = read_document(client, "gasoline://alerts");
  REQUIRE(alerts.at("total") == 2);
  CHECK(alerts.at("items").size() == 2);
  CHECK(alerts.at("summary").get<std::string>().find("2 alerts") == 0);
  const auto errors = read_document(client, "gasoline://errors");
  CHECK(errors.at("items")[0].at("message") == "boom in the cart");
  const auto ci = read_document(client, "gasoline://ci");
  CHECK(ci.at("items")[0].at("status") == "failure");
  const auto observed = client.call("observe", {{"what", "errors"}}).at("content");
  CHECK(observed.size() == 1);
  engine.post_error("boom at the till");
  const auto news = client.call("observe", {{"what", "errors"}}).at("content");
  REQUIRE(news.size() == 2);
  CHECK(news[1].at("text").get<std::string>().find("--- ALERTS (1) ---") == 0);
}

TEST_CASE("empty resources are valid documents that say so") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  for (const auto* uri : {"gasoline://alerts", "gasoline://errors", "gasoline://ci"}) {
    const auto document = read_document(client, uri);
    CHECK(document.at("items").empty());
    CHECK(document.at("summary").get<std::string>().find("No ") == 0);
  }
}

TEST_CASE("gasoline://health is the health document") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  const auto health = read_document(client, "gasoline://health");
  const auto observed = json::parse(client.call_text("configure", {{"action", "health"}}));
  for (const auto* field :
       {"pid", "version", "port", "uptime_seconds", "clients", "buffers", "dropped", "limits"})
    CHECK_MESSAGE(health.contains(field), field);
  CHECK(health.at("limits") == observed.at("limits"));
}

TEST_CASE("the alert template gives one alert with the events around it") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  engine.post("logs", R"({"entries":[{"level":"info","message":"long before"}]})");
  engine.vs.advance(std::chrono::minutes{2});
  engine.post("logs", R"({"entries":[{"level":"info","message":"just before"}]})");
  engine.vs.advance(std::chrono::seconds{1});
  engine.post_error("boom in the cart");
  engine.vs.advance(std::chrono::minutes{2});
  engine.post("logs", R"({"entries":[{"level":"info","message":"long after"}]})");
  const auto listed = client.result("resources/templates/list").at("resourceTemplates");
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].at("uriTemplate") == "gasoline://alerts/{id}");
  const auto id =
      read_document(client, "gasoline://alerts").at("items")[0].at("id").get<std::string>();
  const auto document = read_document(client, "gasoline://alerts/" + id);
  CHECK(document.at("alert").at("id") == id);
  std::vector<std::string> around;
  for (const auto& event : document.at("around"))
    around.push_back(event.at("message"));
  CHECK(around == std::vector<std::string>{"boom in the cart", "just before"});
  CHECK(document.at("before_ms") == limits{}.alert.evidence_before_ms);
}

TEST_CASE("an unknown resource is an error of its own with the URI, in each era's code") {
  virtual_engine engine;
  engine_client legacy{engine, "2025-11-25"};
  auto modern = engine_client::modern(engine);
  for (const std::string uri : {"gasoline://nothing", "gasoline://alerts/alert_99", "", "guide"}) {
    CAPTURE(uri);
    const auto old_error = legacy.request("resources/read", {{"uri", uri}}).at("error");
    CHECK(old_error.at("code") == -32002);
    CHECK(old_error.at("data").at("uri") == uri);
    const auto new_error = modern.request("resources/read", {{"uri", uri}}).at("error");
    CHECK(new_error.at("code") == -32602);
    CHECK(new_error.at("data").at("uri") == uri);
  }
  CHECK(legacy.request("resources/read", {{"uri", 7}}).at("error").at("code") == -32602);
  CHECK(legacy.request("resources/read").at("error").at("code") == -32602);
}
