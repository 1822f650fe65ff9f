#include "config/settings.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

namespace {

std::string refusal_of(const std::string& sessions) {
  const auto read = apply_config_text({}, "{\"sessions\":" + sessions + "}", "c.json");
  return read ? std::string{} : read.error().message;
}

} // namespace

TEST_CASE("the settings of agent sessions are read") {
  const auto read = apply_config_text({}, R"({"sessions":{"allow_shell":true,"providers":{
      "openai":{"base_url":"http://127.0.0.1:11434/v1/"},
      "anthropic":{"key_file":"/etc/keys/a"}}}})",
                                      "c.json");
  REQUIRE(read);
  CHECK(read->sessions.allow_shell);
  CHECK(read->sessions.openai.base_url == "http://127.0.0.1:11434/v1");
  CHECK(read->sessions.openai.key_file.empty());
  CHECK(read->sessions.anthropic.base_url == "https://api.anthropic.com");
  CHECK(read->sessions.anthropic.key_file == "/etc/keys/a");
  CHECK_FALSE(settings{}.sessions.allow_shell);
}

TEST_CASE("wrong settings of agent sessions are refused with their place") {
  const std::pair<const char*, const char*> rows[] = {
      {"7", "c.json: sessions must be an object"},
      {R"({"allow_shel":true})", "known are allow_shell, providers, prices, permissions"},
      {R"({"allow_shell":"yes"})", "use true or false"},
      {R"({"providers":[]})", "must be an object with anthropic, openai"},
      {R"({"providers":{"ollama":{}}})", "through openai with their base_url"},
      {R"({"providers":{"openai":{"base_url":7}}})", "must be a URL"},
      {R"({"providers":{"openai":{"base_url":"localhost"}}})", "does not begin with https://"},
      {R"({"providers":{"openai":{"base_url":"http://a/?x"}}})", "has no query"},
      {R"({"providers":{"openai":{"key_file":""}}})", "must be the path of a file"},
      {R"({"providers":{"openai":{"key":"sk-hidden"}}})", "A key is not written here"},
      {R"({"providers":{"openai":{"base_url":"http://a.test/v1","key_file":"/k"}}})",
       "is plain http to another machine"},
      {R"({"providers":{"openai":{"key_file":"/k","base_url":"http://10.1.2.3:8000"}}})",
       "use https, or set allow_plain_http"},
      {R"({"prices":{"gpt":{"input":1}}})", "a name is PROVIDER:MODEL"},
      {R"({"prices":{"openai:m":{"input":-1}}})", "prices.openai:m.input must be a number from 0"},
      {R"({"prices":{"openai:m":{"in":1}}})", "known are input, cached, output"},
      {R"({"permissions":{"shell":"yes"}})", "use \"ask\", \"allow\", \"deny\""},
      {R"({"permissions":{"shell":{"policy":1}}})", "use ask, allow or deny"},
      {R"({"permissions":{"shell":{"allow":"npm"}}})", "must be a list of patterns"},
      {R"({"permissions":{"shell":{"always":[]}}})", "known are policy, allow, deny"},
  };
  for (const auto& row : rows) {
    const auto message = refusal_of(row.first);
    CHECK_MESSAGE(message.find(row.second) != std::string::npos, row.first << " -> " << message);
    CHECK(message.find("sk-hidden") == std::string::npos);
  }
}

TEST_CASE("a key may go over plain http to this machine, and elsewhere when the owner says so") {
  for (const auto* provider :
       {R"({"base_url":"http://127.0.0.1:1/v1","key_file":"/k"})",
        R"({"base_url":"http://localhost:1/v1","key_file":"/k"})",
        R"({"base_url":"http://a.test/v1"})",
        R"({"base_url":"http://a.test/v1","key_file":"/k","allow_plain_http":true})"})
    CHECK(refusal_of(std::string{"{\"providers\":{\"openai\":"} + provider + "}}").empty());
}

TEST_CASE("the price of a model is that of its name, else of its longest beginning") {
  const auto read = apply_config_text({}, R"({"sessions":{"prices":{
      "openai:gpt":{"input":1,"cached":0.5,"output":2},
      "openai:*":{"input":3,"output":4},
      "openai:gpt-*":{"output":5}}}})",
                                      "c.json");
  REQUIRE(read);
  CHECK(price_of(read->sessions, "openai:gpt")->cached == 0.5);
  CHECK(price_of(read->sessions, "openai:other")->cached == 3);
  CHECK(price_of(read->sessions, "openai:gpt-mini")->output == 5);
  CHECK_FALSE(price_of(read->sessions, "anthropic:gpt"));
}

TEST_CASE("permissions are a word or a rule") {
  const auto read = apply_config_text({}, R"({"sessions":{"permissions":{
      "shell":{"policy":"deny","allow":["npm test*"],"deny":["rm *"]},"delegate":"ask"}}})",
                                      "c.json");
  REQUIRE(read);
  const auto& shell = read->sessions.permissions.at("shell");
  CHECK(shell.otherwise == permission_choice::deny);
  CHECK(shell.allow == std::vector<std::string>{"npm test*"});
  CHECK(shell.deny == std::vector<std::string>{"rm *"});
  CHECK(read->sessions.permissions.at("delegate").otherwise == permission_choice::ask);
}
