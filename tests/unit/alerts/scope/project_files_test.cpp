#include "actors/alerts/scope/project_files.hpp"
#include "actors/alerts/scope/scope_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace gasoline;
namespace fs = std::filesystem;

namespace {

struct project_scratch {
  project_scratch() {
    std::string name = (fs::temp_directory_path() / "gasoline-scope-XXXXXX").string();
    dir = fs::canonical(::mkdtemp(name.data()));
  }
  project_scratch(const project_scratch&) = delete;
  project_scratch& operator=(const project_scratch&) = delete;
  ~project_scratch() {
    std::error_code ec;
    fs::remove_all(dir, ec);
  }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((dir / file).parent_path());
    std::ofstream{dir / file} << text;
  }

  std::string at(const std::string& file) const { return (dir / file).string(); }

  fs::path dir;
};

constexpr mono_time first_look{};

} // namespace

TEST_CASE("project files: the nearest directory with a file or a repository, below the home") {
  const project_scratch s;
  s.write("home/shop/.git/HEAD", "ref: refs/heads/cart\n");
  s.write("home/shop/web/src/x", "");
  s.write("home/shop/api/.gasoline.json", R"({"origins":["http://localhost:1"]})");
  s.write("home/.git/HEAD", "ref: refs/heads/dots\n");
  s.write("home/loose/x", "");
  project_files files{s.at("home")};
  CHECK(files.of(s.at("home/shop/web/src"), first_look).root == s.at("home/shop"));
  CHECK(files.of(s.at("home/shop/web/src"), first_look).branch == "cart");
  CHECK(files.of(s.at("home/shop/api"), first_look).root == s.at("home/shop/api"));
  CHECK(files.of(s.at("home/shop/api"), first_look).lists->origins.size() == 1);
  CHECK(files.of(s.at("home/loose"), first_look).root == s.at("home/loose"));
  CHECK(files.of("/nowhere/at/all", first_look).root == "/nowhere/at/all");
}

TEST_CASE("project files: a change is seen a moment later, one of our own at once") {
  const project_scratch s;
  s.write("a/.gasoline.json", "// mine\n{\"services\": [\"api\"],}");
  project_files files;
  CHECK_FALSE(files.of(s.at("a"), first_look).problem.empty()); // a comma too many
  s.write("a/.gasoline.json", "\xEF\xBB\xBF// mine\n{\"services\": [\"api\"]}");
  CHECK(files.of(s.at("a"), first_look + std::chrono::seconds{1}).lists->services.size() == 1);
  scope_change change;
  change.origins = {"http://localhost:3000"};
  const auto refused = files.change(s.at("a"), change);
  REQUIRE(refused);
  CHECK(refused->message.find("comments") != std::string::npos);
  s.write("a/.gasoline.json", R"({"x":1,"services":["api"]})");
  CHECK_FALSE(files.change(s.at("a"), change));
  const auto& now = files.of(s.at("a"), first_look + std::chrono::seconds{1});
  CHECK(now.lists->origins.size() == 1);
  CHECK(now.lists->services.size() == 1);
  std::ifstream in{s.dir / "a/.gasoline.json"};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  CHECK(text.find("\"x\": 1") != std::string::npos);
}

TEST_CASE("project files: another branch is seen a moment later, another root after seconds") {
  const project_scratch s;
  s.write("shop/.git/HEAD", "ref: refs/heads/cart\n");
  s.write("shop/api/x", "");
  project_files files;
  const auto at = [&](int milliseconds) -> const project& {
    return files.of(s.at("shop/api"), first_look + std::chrono::milliseconds{milliseconds});
  };
  CHECK(at(0).branch == "cart");
  CHECK(at(300).branch == "cart");
  s.write("shop/.git/HEAD", "ref: refs/heads/other\n");
  CHECK(at(600).branch == "other");
  s.write("shop/.gasoline.json", R"({"services":["api"]})");
  CHECK(at(900).lists->services.size() == 1);
  s.write("shop/api/.gasoline.json", R"({"services":["api","web"]})");
  CHECK(at(6'000).root == s.at("shop/api"));
}

TEST_CASE("project files: what is no file of ours is not heeded, and does not hold up") {
  const project_scratch s;
  fs::create_directories(s.dir / "pipe");
  REQUIRE(::mkfifo((s.dir / "pipe/.gasoline.json").c_str(), 0600) == 0);
  s.write("big/.gasoline.json", std::string(70'000, ' ') + "{}");
  s.write("list/.gasoline.json", "[]");
  s.write("number/.gasoline.json", R"({"origins":[1]})");
  s.write("text/.gasoline.json", R"({"ci":"x"})");
  project_files files;
  for (const auto* name : {"pipe", "big", "list", "number", "text"}) {
    const auto& found = files.of(s.at(name), first_look);
    CHECK_FALSE(found.lists);
    CHECK(found.problem.find(".gasoline.json") != std::string::npos);
  }
}

TEST_CASE("project files: remotes and branch, of a linked working tree too") {
  const project_scratch s;
  s.write("main/.git/HEAD", "ref: refs/heads/main\n");
  s.write("main/.git/config", "[core]\n\turl = no\n[remote \"origin\"]\n\turl = "
                              "git@GitHub.com:acme/shop.git\n\tfetch = x\n");
  s.write("main/.git/worktrees/cart/HEAD", "ref: refs/heads/cart\n");
  s.write("main/.git/worktrees/cart/commondir", "../..\n");
  s.write("cart/.git", "gitdir: " + s.at("main/.git/worktrees/cart") + "\n");
  project_files files;
  CHECK(files.of(s.at("cart"), first_look).branch == "cart");
  REQUIRE(files.of(s.at("cart"), first_look).remotes.size() == 1);
  CHECK(files.of(s.at("cart"), first_look).remotes[0] == "github.com/acme/shop");
  CHECK(files.of(s.at("main"), first_look).branch == "main");
}

TEST_CASE("project files: addresses of repositories") {
  CHECK(remote_place("https://user:key@github.com/acme/shop.git") == "github.com/acme/shop");
  CHECK(remote_place("ssh://git@git.test:2222/acme/shop") == "git.test/acme/shop");
  CHECK(remote_place("git@gitlab.com:group/sub/app.git") == "gitlab.com/group/sub/app");
  CHECK(remote_place("../shop").empty());
  CHECK(remote_place("/srv/git/shop.git").empty());
  CHECK(remote_place("file:///srv/shop").empty());
  CHECK(remote_place("").empty());
  CHECK(remote_place("x:").size() < 4);
}
