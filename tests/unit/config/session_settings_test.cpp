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
      {R"({"allow_shel":true})", "known are allow_shell, providers"},
      {R"({"allow_shell":"yes"})", "use true or false"},
      {R"({"providers":[]})", "must be an object with anthropic, openai"},
      {R"({"providers":{"ollama":{}}})", "through openai with their base_url"},
      {R"({"providers":{"openai":{"base_url":7}}})", "must be a URL"},
      {R"({"providers":{"openai":{"base_url":"localhost"}}})", "does not begin with https://"},
      {R"({"providers":{"openai":{"base_url":"http://a/?x"}}})", "has no query"},
      {R"({"providers":{"openai":{"key_file":""}}})", "must be the path of a file"},
      {R"({"providers":{"openai":{"key":"sk-hidden"}}})", "A key is not written here"},
  };
  for (const auto& row : rows) {
    const auto message = refusal_of(row.first);
    CHECK_MESSAGE(message.find(row.second) != std::string::npos, row.first << " -> " << message);
    CHECK(message.find("sk-hidden") == std::string::npos);
  }
}
