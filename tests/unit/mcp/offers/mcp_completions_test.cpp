#include "tests/unit/support/engine_client.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

json id_of(const char* kind, const char* name_key, const char* name) {
  return {{"type", kind}, {name_key, name}};
}

json params(json ref, const std::string& argument, json typed) {
  return {{"ref", std::move(ref)}, {"argument", {{"name", argument}, {"value", std::move(typed)}}}};
}

json alert_prompt() {
  return id_of("ref/prompt", "name", "explain_alert");
}

} // namespace

TEST_CASE("alert ids complete by prefix, the newest first") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  for (const auto* word : {"apples", "pears", "plums"}) {
    engine.post_error(std::string{"fault with "} + word);
    engine.vs.advance(std::chrono::seconds{1});
  }
  const auto all = client.result("completion/complete", params(alert_prompt(), "id", ""));
  CHECK(all.at("completion").at("total") == 3);
  CHECK(all.at("completion").at("hasMore") == false);
  const auto values = all.at("completion").at("values");
  REQUIRE(values.size() == 3);
  const auto alerts = client.result("resources/read", {{"uri", "gasoline://alerts"}});
  const auto items =
      json::parse(alerts.at("contents")[0].at("text").get<std::string>()).at("items");
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(values[i] == items[i].at("id"));
  const auto one = client.result("completion/complete", params(alert_prompt(), "id", values[1]));
  CHECK(one.at("completion").at("values") == json::array({values[1]}));
  CHECK(client.result("completion/complete", params(alert_prompt(), "id", "nothing"))
            .at("completion") == json{{"values", json::array()}, {"total", 0}, {"hasMore", false}});
  const auto by_uri =
      client.result("completion/complete",
                    params(id_of("ref/resource", "uri", "gasoline://alerts/{id}"), "id", "alert_"));
  CHECK(by_uri.at("completion").at("values") == values);
}

TEST_CASE("more values than fit are counted") {
  settings config;
  config.limit.client.completion_values = 2;
  virtual_engine engine{config};
  engine_client client{engine, "2025-11-25"};
  for (const auto* word : {"apples", "pears", "plums"})
    engine.post_error(std::string{"fault with "} + word);
  const auto completion =
      client.result("completion/complete", params(alert_prompt(), "id", "")).at("completion");
  CHECK(completion.at("values").size() == 2);
  CHECK(completion.at("total") == 3);
  CHECK(completion.at("hasMore") == true);
}

TEST_CASE("a fixed resource has nothing to complete; what is unknown is refused") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  CHECK(client
            .result("completion/complete",
                    params(id_of("ref/resource", "uri", "gasoline://guide"), "x", ""))
            .at("completion")
            .at("values")
            .empty());
  const std::vector<json> wrong{
      params(id_of("ref/prompt", "name", "nothing"), "id", ""),
      params(id_of("ref/resource", "uri", "gasoline://nothing/{x}"), "x", ""),
      params(id_of("ref/other", "name", "explain_alert"), "id", ""),
      params(alert_prompt(), "colour", ""),
      params(id_of("ref/resource", "uri", "gasoline://alerts/{id}"), "colour", ""),
      params(alert_prompt(), "id", 7),
      params(nullptr, "id", ""),
      {{"ref", alert_prompt()}},
      {{"ref", alert_prompt()}, {"argument", "id"}},
      json::object(),
  };
  for (const auto& p : wrong) {
    CAPTURE(p.dump());
    CHECK(client.request("completion/complete", p).at("error").at("code") == -32602);
  }
}
