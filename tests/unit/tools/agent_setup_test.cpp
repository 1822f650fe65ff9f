#include "tools/setup/agent_setup.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <map>
#include <sstream>

using namespace gasoline;
namespace fs = std::filesystem;

namespace {

struct home_fixture {
  home_fixture() {
    std::string pattern = (fs::temp_directory_path() / "gasoline-home-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    dir = pattern;
  }
  home_fixture(const home_fixture&) = delete;
  home_fixture& operator=(const home_fixture&) = delete;
  ~home_fixture() { fs::remove_all(dir); }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((dir / file).parent_path());
    std::ofstream{dir / file, std::ios::binary} << text;
  }

  std::string read(const fs::path& file) const {
    std::ifstream in{dir / file, std::ios::binary};
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }

  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> out;
    for (const auto& f : fs::recursive_directory_iterator(dir))
      if (f.is_regular_file())
        out[fs::relative(f.path(), dir).string()] = read(fs::relative(f.path(), dir));
    return out;
  }

  std::vector<agent> agents(const fs::path& program = "/opt/gas oline/gasoline") const {
    return known_agents({dir, dir / ".config", program, {}});
  }

  void run(result_or<file_change> (*plan)(const wanted_file&),
           const std::vector<agent>& all) const {
    for (const auto& a : all)
      for (const auto& wanted : a.files) {
        const auto change = plan(wanted);
        REQUIRE_MESSAGE(change, change.error().message);
        const auto problem = apply_change(*change);
        CHECK_FALSE(problem);
      }
  }

  fs::path dir;
};

const std::string claude_settings = R"x({
  // my own hooks
  "hooks": {
    "PostToolBatch": [
      { "hooks": [ { "type": "command", "command": "make lint" } ] },
    ],
  },
  "permissions": { "allow": ["Bash(make:*)"], "deny": [] },
  "model": "sonnet"
}
)x";

} // namespace

TEST_CASE("setup and uninstall leave every file of a home byte by byte as it was") {
  home_fixture home;
  home.write(".claude/settings.json", claude_settings);
  home.write(".claude.json", R"({"numStartups":3,"mcpServers":{},"projects":{"/p":{"x":[1,2]}}})");
  home.write(".codex/config.toml",
             "model = \"gpt\"\n\n[projects.\"/p\"]\ntrust_level = \"trusted\"");
  home.write(".gemini/settings.json", "{\n\t\"theme\": \"dark\",\n}\n");
  home.write(".cursor/hooks.json", R"({"version":1,"hooks":{"stop":[{"command":"say done"}]}})");
  const auto before = home.files();
  home.run(plan_setup, home.agents());
  CHECK(home.read(".claude/settings.json").find("hook --client claude --event PostToolBatch") !=
        std::string::npos);
  const auto once = home.files();
  home.run(plan_setup, home.agents());
  CHECK(home.files() == once);
  home.run(plan_uninstall, home.agents());
  auto after = home.files();
  for (const auto& row : before)
    CHECK_MESSAGE(after[row.first] == row.second, row.first);
  CHECK(after == before);
}

TEST_CASE("what a user has changed since setup stays") {
  home_fixture home;
  home.write(".claude/settings.json", claude_settings);
  home.run(plan_setup, home.agents());
  auto text = home.read(".claude/settings.json");
  text.insert(text.find("\"model\""), "\"theme\": \"dark\", ");
  home.write(".claude/settings.json", text);
  home.run(plan_uninstall, home.agents());
  auto expected = claude_settings;
  expected.insert(expected.find("\"model\""), "\"theme\": \"dark\", ");
  CHECK(home.read(".claude/settings.json") == expected);
}

TEST_CASE("a hook that a user has put beside ours stays, at a second setup and at the end") {
  home_fixture home;
  home.write(".claude/settings.json", claude_settings);
  home.run(plan_setup, home.agents("/old/gasoline"));
  auto text = home.read(".claude/settings.json");
  const auto ours = text.find("\"/old/gasoline hook --client claude --event Stop\"");
  text.insert(text.find('}', ours) + 1, ", {\"type\": \"command\", \"command\": \"say done\"}");
  home.write(".claude/settings.json", text);
  home.run(plan_setup, home.agents("/old/gasoline"));
  CHECK(home.read(".claude/settings.json") == text);
  home.run(plan_setup, home.agents("/new/gasoline"));
  const auto moved = home.read(".claude/settings.json");
  CHECK(moved.find("/old/") == std::string::npos);
  CHECK(moved.find("say done") != std::string::npos);
  home.run(plan_uninstall, home.agents("/new/gasoline"));
  const auto left = json_value_at(home.read(".claude/settings.json"), {"hooks", "Stop"});
  REQUIRE(left);
  const ordered_json theirs{{"type", "command"}, {"command", "say done"}};
  CHECK(*left == ordered_json::array({{{"hooks", ordered_json::array({theirs})}}}));
}

TEST_CASE("what a user has added to our server entry outlives another setup, not its removal") {
  home_fixture home;
  home.run(plan_setup, home.agents("/old/gasoline"));
  const json_path entry{"mcpServers", "gasoline"};
  auto own = *json_value_at(home.read(".claude.json"), entry);
  own["args"].push_back("--channel");
  own["env"]["A"] = "b";
  own["timeout"] = 7;
  home.write(".claude.json", *set_json_member(home.read(".claude.json"), entry, own));
  home.run(plan_setup, home.agents("/new/gasoline"));
  own["command"] = "/new/gasoline";
  CHECK(json_value_at(home.read(".claude.json"), entry) == own);
  home.write(".cline/mcp.json", R"({"mcpServers":{"gasoline":{"url":"http://localhost:1/mcp"}}})");
  home.run(plan_setup, home.agents("/new/gasoline"));
  CHECK_FALSE(json_value_at(home.read(".cline/mcp.json"), {"mcpServers", "gasoline", "url"}));
  home.run(plan_uninstall, home.agents("/new/gasoline"));
  CHECK_FALSE(fs::exists(home.dir / ".claude.json"));
}

TEST_CASE("folders that setup has made go with what was in them, others stay") {
  home_fixture home;
  home.write(".cursor/mine.txt", "mine");
  home.run(plan_setup, home.agents());
  CHECK(fs::exists(home.dir / ".config/opencode/plugins/gasoline.js"));
  home.run(plan_uninstall, home.agents());
  for (const auto& left : fs::recursive_directory_iterator(home.dir))
    CHECK_MESSAGE(left.path().string().find(".cursor") != std::string::npos, left.path().string());
  CHECK(fs::exists(home.dir / ".cursor/mine.txt"));
}

TEST_CASE("another place of the program replaces the commands, it adds none") {
  home_fixture home;
  home.write(".claude/settings.json", claude_settings);
  home.run(plan_setup, home.agents("/old/gasoline"));
  home.run(plan_setup, home.agents("/new/gasoline"));
  const auto text = home.read(".claude/settings.json");
  CHECK(text.find("/old/") == std::string::npos);
  CHECK(text.find("/new/gasoline hook --client claude --event Stop") != std::string::npos);
  home.run(plan_uninstall, home.agents("/new/gasoline"));
  CHECK(home.read(".claude/settings.json") == claude_settings);
}

TEST_CASE("files that were not there are gone, wherever the program has been meanwhile") {
  home_fixture home;
  home.run(plan_setup, home.agents("/old/gasoline"));
  home.run(plan_setup, home.agents("/new/gasoline"));
  home.run(plan_uninstall, home.agents("/new/gasoline"));
  CHECK(home.files().empty());
}

TEST_CASE("a symbolic link stays one, a mode is kept") {
  home_fixture home;
  home.write("dotfiles/settings.json", claude_settings);
  fs::create_directories(home.dir / ".claude");
  fs::create_symlink("../dotfiles/settings.json", home.dir / ".claude/settings.json");
  ::chmod((home.dir / "dotfiles/settings.json").c_str(), 0640);
  home.run(plan_setup, home.agents());
  CHECK(fs::is_symlink(home.dir / ".claude/settings.json"));
  CHECK(home.read("dotfiles/settings.json").find("gasoline") != std::string::npos);
  CHECK((fs::status(home.dir / "dotfiles/settings.json").permissions() & fs::perms::mask) ==
        fs::perms{0640});
}

TEST_CASE("a file that cannot be read or is not ours is left alone with a sentence") {
  home_fixture home;
  home.write(".claude/settings.json", "{ broken");
  home.write(".cline/hooks/PostToolUse", "#!/bin/sh\necho mine\n");
  std::string problems;
  for (const auto& a : home.agents())
    for (const auto& wanted : a.files)
      if (const auto change = plan_setup(wanted); !change)
        problems += change.error().message + "\n";
  CHECK(problems.find("settings.json is left alone: line 1") != std::string::npos);
  CHECK(problems.find("PostToolUse is left alone: it is there and is not ours") !=
        std::string::npos);
}

TEST_CASE("the change shows the lines that come") {
  home_fixture home;
  home.write(".gemini/settings.json", "{\n  \"theme\": \"dark\"\n}\n");
  for (const auto& a : home.agents())
    if (a.name == "gemini") {
      const auto text = change_text(*plan_setup(a.files[0]));
      CHECK(text.find("+   \"mcpServers\": {") != std::string::npos);
      CHECK(text.find("-   \"theme\": \"dark\"\n") != std::string::npos);
    }
}
