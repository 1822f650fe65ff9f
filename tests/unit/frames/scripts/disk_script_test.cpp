#include "actors/frames/scripts/disk_script.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace gasoline;
namespace fs = std::filesystem;

namespace {

/// A directory of its own, gone with the test.
class directory {
 public:
  directory() {
    std::string name = (fs::temp_directory_path() / "gasoline-disk-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root_ = fs::canonical(name);
  }
  directory(const directory&) = delete;
  directory& operator=(const directory&) = delete;
  ~directory() {
    std::error_code ec;
    fs::remove_all(root_, ec);
  }

  std::string write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream{root_ / path} << text;
    return (root_ / path).string();
  }

  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

constexpr const char* disk_map =
    R"({"version":3,"sources":["../src/a.ts"],"names":[],"mappings":"AAEA"})";
constexpr const char* disk_text = "x\n//# sourceMappingURL=a.js.map\n";
constexpr std::uint64_t plenty = 1U << 20U;

/// Where the first position of a script stood, or why that is not known.
std::string first_origin(const std::string& path, std::uint64_t bytes = plenty) {
  const auto reading = read_disk_script(path, bytes, {});
  if (!reading.problem.empty())
    return reading.problem;
  if (!reading.map)
    return "nothing";
  const auto found = reading.map->find({{1, 1}});
  return found[0] ? found[0]->source + ":" + std::to_string(found[0]->line) : "nothing";
}

TEST_CASE("a script in a project is led back by the map beside it") {
  const directory d;
  d.write("shop/package.json", "{}");
  const auto file = d.write("shop/dist/a.js", disk_text);
  CHECK(first_origin(file) == "nothing");
  d.write("shop/dist/a.js.map", disk_map);
  CHECK(first_origin(file) == "file://" + d.root().string() + "/shop/src/a.ts:3");
  CHECK(first_origin(file, 5) == "nothing");
  d.write("shop/dist/a.js.map", R"({"version":2})");
  CHECK(first_origin(file) == "the source map is not of version 3");
}

TEST_CASE("nothing is read outside of projects, and no map outside of the script's own") {
  const directory d;
  d.write("dist/a.js.map", disk_map);
  CHECK(first_origin(d.write("dist/a.js", disk_text)) == "nothing");
  d.write("shop/.gasoline.json", "{}");
  const auto file = d.write("shop/a.js", "x\n//# sourceMappingURL=../dist/a.js.map\n");
  CHECK(first_origin(file) == "nothing");
  fs::create_symlink(d.root() / "dist/a.js.map", d.root() / "shop/b.js.map");
  CHECK(first_origin(d.write("shop/b.js", "x\n//# sourceMappingURL=b.js.map\n")) == "nothing");
  CHECK(first_origin(d.write("shop/c.js", "x\n//# sourceMappingURL=http://h.test/c.map\n")) ==
        "the source map lies elsewhere");
}

TEST_CASE("which frames name a script on the disk") {
  CHECK(disk_path("/srv/dist/a.js") == "/srv/dist/a.js");
  CHECK(disk_path("file:///srv/dist/a.mjs") == "/srv/dist/a.mjs");
  CHECK(disk_path("/etc/passwd").empty());
  CHECK(disk_path("a.js").empty());
  CHECK(disk_path("http://localhost/a.js").empty());
  CHECK(disk_path("file://host/a.js").empty());
}

} // namespace
