#include "actors/agents/tools/list_files_tool.hpp"
#include "actors/agents/tools/read_file_tool.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace gasoline;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// A workspace with a secret beside it.
class scratch_workspace {
 public:
  scratch_workspace() {
    std::string pattern = fs::temp_directory_path() / "gasoline-workspace-XXXXXX";
    base_ = ::mkdtemp(pattern.data());
    fs::create_directory(root());
    write(base_ / "secret.txt", "outside");
    write(root() / "a.txt", "hello\n");
    fs::create_directory(root() / "src");
    write(root() / "src" / "b.txt", "below");
  }
  scratch_workspace(const scratch_workspace&) = delete;
  scratch_workspace& operator=(const scratch_workspace&) = delete;
  ~scratch_workspace() { fs::remove_all(base_); }

  fs::path root() const { return base_ / "work"; }

  static void write(const fs::path& file, const std::string& text) {
    std::ofstream{file, std::ios::binary} << text;
  }

  tool_outcome read(json input, const limits& limit = {}) const {
    return read_file(request(std::move(input)), limit);
  }

  tool_outcome list(json input, const limits& limit = {}) const {
    return list_files(request(std::move(input)), limit);
  }

 private:
  tool_request request(json input) const {
    tool_request out;
    out.workspace_path = root();
    out.input = std::move(input);
    return out;
  }

  fs::path base_;
};

} // namespace

TEST_CASE("files inside the workspace are read, by relative and absolute path") {
  const scratch_workspace space;
  for (const std::string path : {"a.txt", "./a.txt", "src/../a.txt", "src//../a.txt"})
    CHECK(space.read({{"path", path}}).text == "hello\n");
  CHECK(space.read({{"path", (space.root() / "src/b.txt").string()}}).text == "below");
  fs::create_symlink("a.txt", space.root() / "inner");
  CHECK(space.read({{"path", "inner"}}).text == "hello\n");
}

TEST_CASE("nothing leads out of the workspace") {
  const scratch_workspace space;
  fs::create_symlink("../secret.txt", space.root() / "out");
  fs::create_symlink("/etc", space.root() / "etc");
  fs::create_symlink("loop", space.root() / "loop");
  fs::create_directory_symlink("/proc/self", space.root() / "magic");
  for (const std::string path :
       {"../secret.txt", "src/../../secret.txt", "out", "etc/passwd", "/etc/passwd", "loop",
        "magic/root/etc/passwd", "/proc/self/environ"}) {
    const auto outcome = space.read({{"path", path}});
    CHECK_MESSAGE(outcome.error_class == "denied", path << ": " << outcome.text);
    CHECK(outcome.text.find("outside") == std::string::npos);
  }
  // A name that begins like the workspace is another directory.
  CHECK(space.read({{"path", space.root().string() + "-other/x"}}).error_class == "denied");
  CHECK(space.list({{"path", ".."}}).error_class == "denied");
  CHECK(space.list({{"path", "etc"}}).error_class == "denied");
}

TEST_CASE("what is no regular file is not touched") {
  const scratch_workspace space;
  REQUIRE(::mkfifo((space.root() / "fifo").c_str(), 0600) == 0);
  CHECK(space.read({{"path", "fifo"}}).error_class == "denied"); // and does not wait for a writer
  CHECK(space.read({{"path", "src"}}).text.find("list_files") != std::string::npos);
  CHECK(space.list({{"path", "a.txt"}}).text.find("read_file") != std::string::npos);
  const auto none = space.read({{"path", "none"}});
  CHECK(none.is_error);
  CHECK(none.error_class.empty());
}

TEST_CASE("wrong input is told") {
  const scratch_workspace space;
  for (const auto& input :
       {json::object(), json{{"path", 7}}, json{{"path", ""}},
        json{{"path", "a.txt"}, {"offset", -1}}, json{{"path", "a.txt"}, {"limit", 0}},
        json{{"path", "a.txt"}, {"mode", "w"}}, json{{"path", std::string{"a\0b", 3}}},
        json::array()}) {
    const auto outcome = space.read(input);
    CHECK_MESSAGE(outcome.error_class == "invalid_input", input.dump() << outcome.text);
  }
  CHECK(space.read({{"path", std::string(5'000, 'a')}}).error_class == "invalid_input");
  CHECK(space.read({{"path", "a.txt"}, {"offset", 1'000}}).is_error);
}

TEST_CASE("long files come in parts that are whole characters") {
  const scratch_workspace space;
  std::string text;
  for (int i = 0; i < 700; ++i)
    text += "ä€😀x";
  scratch_workspace::write(space.root() / "long.txt", text);
  std::string whole;
  std::uint64_t offset = 0;
  for (int part = 0; part < 20; ++part) {
    const auto outcome = space.read({{"path", "long.txt"}, {"offset", offset}, {"limit", 1'001}});
    CHECK_NOTHROW((void)json(outcome.text).dump());
    const auto note = outcome.text.find("\n[bytes ");
    whole += outcome.text.substr(0, note);
    if (!outcome.truncated)
      break;
    const auto next = outcome.text.find("offset ");
    offset = std::stoull(outcome.text.substr(next + 7));
  }
  CHECK(whole == text);
}

TEST_CASE("binary files are named as such") {
  const scratch_workspace space;
  scratch_workspace::write(space.root() / "bin", std::string{"\x7F"
                                                             "ELF\0\1",
                                                             6});
  const auto outcome = space.read({{"path", "bin"}});
  CHECK(outcome.is_error);
  CHECK(outcome.text.find("binary data (6 bytes)") != std::string::npos);
}

TEST_CASE("a listing is sorted, shows kinds and sizes, and goes down as far as it is asked") {
  const scratch_workspace space;
  fs::create_symlink("/etc", space.root() / "link");
  scratch_workspace::write(space.root() / "two\nlines", "");
  CHECK(space.list(json::object()).text == "a.txt\t6\nlink@\nsrc/\ntwo?lines\t0");
  CHECK(space.list({{"path", "src"}}).text == "src/b.txt\t5");
  CHECK(space.list({{"depth", 2}}).text == "a.txt\t6\nlink@\nsrc/\nsrc/b.txt\t5\ntwo?lines\t0");
  fs::create_directory(space.root() / "empty");
  CHECK(space.list({{"path", "empty"}}).text == "(empty)");
}

TEST_CASE("a listing ends at its cap") {
  const scratch_workspace space;
  for (int i = 0; i < 50; ++i)
    scratch_workspace::write(space.root() / std::to_string(i), "");
  limits few;
  few.session.list_entries = 10;
  const auto outcome = space.list(json::object(), few);
  CHECK(outcome.truncated);
  CHECK(outcome.text.find("there is more") != std::string::npos);
}
