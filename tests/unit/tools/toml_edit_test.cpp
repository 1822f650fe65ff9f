#include "tools/setup/toml_edit.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

namespace {

const toml_lines lines{{"command", "\"/bin/gasoline\""}, {"args", "[\"mcp\"]"}};

std::string with_table(std::string_view text) {
  const auto out = set_toml_table(text, "mcp_servers.gasoline", lines);
  REQUIRE_MESSAGE(out, out.error().message);
  return *out;
}

} // namespace

TEST_CASE("a table is added at the end and taken out without a trace") {
  const std::string before =
      "# mine\nmodel = \"x\" # [no header]\nnotes = \"\"\"\n[mcp_servers.gasoline]\n"
      "\"\"\"\nlist = [ # of\n  1,\n]\n\n[mcp_servers.other]\ncommand = 'y'\n";
  const auto after = with_table(before);
  CHECK(after ==
        before + "\n[mcp_servers.gasoline]\ncommand = \"/bin/gasoline\"\nargs = [\"mcp\"]\n");
  CHECK(with_table(after) == after);
  CHECK(*remove_toml_table(after, "mcp_servers.gasoline") == before);
}

TEST_CASE("a table that is there keeps its other keys, its comments and its place") {
  const std::string before = "[mcp_servers.\"gasoline\"]\ncommand = \"old\" # "
                             "mine\nstartup_timeout_sec = 5\n\n[b]\nx = 1\n";
  CHECK(with_table(before) ==
        "[mcp_servers.\"gasoline\"]\nargs = [\"mcp\"]\ncommand = \"/bin/gasoline\" # mine\n"
        "startup_timeout_sec = 5\n\n[b]\nx = 1\n");
}

TEST_CASE("an empty file and one without a last line end are taken") {
  CHECK(with_table("") ==
        "[mcp_servers.gasoline]\ncommand = \"/bin/gasoline\"\nargs = [\"mcp\"]\n");
  CHECK(with_table("a = 1") ==
        "a = 1\n\n[mcp_servers.gasoline]\ncommand = \"/bin/gasoline\"\nargs = [\"mcp\"]\n");
}

TEST_CASE("what is not understood is refused") {
  for (const auto* text : {"mcp_servers = { gasoline = {} }", "[a\nb = 1", "a = ", "a = \"x",
                           "a = [1, 2", "a b = 1", "[[mcp_servers]]\nx = 1", "= 1"})
    CHECK_FALSE(set_toml_table(text, "mcp_servers.gasoline", lines));
}
