#include "tools/setup/codex_trust.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

namespace {

constexpr const char* hooks_file = "/home/user/.codex/hooks.json";

/// As `gasoline setup` writes it, with somebody else's hook before ours.
constexpr const char* hooks = R"({"hooks":{
  "PostToolUse":[{"hooks":[{"type":"command","command":"lint"}]},
    {"hooks":[{"type":"command","command":"/usr/bin/gasoline hook --client codex --event PostToolUse","timeout":5}]}],
  "Stop":[{"hooks":[{"type":"command","command":"/usr/bin/gasoline hook --client codex --event Stop","timeout":5}]}]}})";

// What Codex 0.171.0 computed of these two hooks.
constexpr const char* tool_digest =
    "sha256:7e9fd1504650bb017286cba4f5b67e683b1f24aabf47c01b6f086a844886e829";
constexpr const char* stop_digest =
    "sha256:acc15716b00838849ab2990b86b97c4af3c3ef5a9f144101a7b1c9c807237491";

std::string table(const std::string& key, const std::string& lines) {
  return "[hooks.state.\"" + std::string{hooks_file} + ":" + key + "\"]\n" + lines + "\n\n";
}

codex_trust trust_in(const std::string& toml, const std::string& event) {
  for (const auto& hook : codex_hooks(hooks, hooks_file, toml))
    if (hook.event == event)
      return hook.trust;
  FAIL("the hook is not found");
  return codex_trust::missing;
}

std::string digest_line(const char* digest) {
  return "trusted_hash = \"" + std::string{digest} + "\"";
}

} // namespace

TEST_CASE("codex trust: a hook is trusted by the digest that Codex keeps of it") {
  const auto toml = "model = \"x\" # [hooks.state]\n" +
                    table("post_tool_use:1:0", digest_line(tool_digest)) +
                    table("stop:0:0", "enabled = true\n" + digest_line(stop_digest)) +
                    "[mcp_servers.x]\nenabled = false\n";
  CHECK(codex_hooks(hooks, hooks_file, toml).size() == 2);
  CHECK(trust_in(toml, "PostToolUse") == codex_trust::trusted);
  CHECK(trust_in(toml, "Stop") == codex_trust::trusted);
}

TEST_CASE("codex trust: inline tables say the same") {
  const auto toml = "[hooks.state]\n\"" + std::string{hooks_file} + ":stop:0:0\" = { " +
                    digest_line(stop_digest) + " }\n";
  CHECK(trust_in(toml, "Stop") == codex_trust::trusted);
  CHECK(trust_in(toml, "PostToolUse") == codex_trust::missing);
}

TEST_CASE("codex trust: changed, turned off, of another file, at another place") {
  CHECK(trust_in(table("stop:0:0", digest_line(tool_digest)), "Stop") == codex_trust::changed);
  CHECK(trust_in(table("stop:0:0", digest_line(stop_digest) + "\nenabled = false"), "Stop") ==
        codex_trust::missing);
  CHECK(trust_in(table("stop:1:0", digest_line(stop_digest)), "Stop") == codex_trust::missing);
  CHECK(trust_in("", "Stop") == codex_trust::missing);
  CHECK(trust_in("[hooks.state.\"", "Stop") == codex_trust::missing);
}

TEST_CASE("codex trust: what is no hook file has no hooks") {
  for (const char* text :
       {"", "x", "[]", "null", R"({"hooks":[]})", R"({"hooks":{"Stop":{}}})",
        R"({"hooks":{"Stop":[1,null,{"hooks":{}},{"hooks":[1,{"command":7}]}]}})"})
    CHECK(codex_hooks(text, hooks_file, "").empty());
}
