#include "actors/ingest/formats/format_table.hpp"
#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace gasoline {
namespace {

const std::filesystem::path tests_dir{GASOLINE_TEST_DATA};

std::string read_tree_file(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  REQUIRE_MESSAGE(in, "missing: " << file.string());
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string all_scenarios() {
  std::string out;
  for (const auto& entry : std::filesystem::directory_iterator{tests_dir / "scenarios"})
    if (entry.path().extension() == ".jsonl")
      out += read_tree_file(entry.path());
  std::erase(out, ' ');
  return out;
}

} // namespace

TEST_CASE("each wire format has its files, a test, a corpus, a scenario and a line in the README") {
  const auto room = tests_dir.parent_path() / "actors" / "ingest";
  const auto readme = read_tree_file(room / "README.md");
  const auto scenarios = all_scenarios();
  std::uint8_t index = 0;
  for (const auto* format : ingest_formats()) {
    const std::string name{format->route.format};
    const std::string path{format->route.path};
    CAPTURE(name);
    CHECK(std::filesystem::exists(room / "formats" / (name + ".cpp")));
    const auto test = read_tree_file(tests_dir / "unit/ingest/formats" / (name + "_test.cpp"));
    CHECK(test.find("(\"" + name + "\"") != std::string::npos);
    CHECK(readme.find("`" + name + "`") != std::string::npos);
    CHECK(readme.find(path) != std::string::npos);
    const auto open = path.find('{');
    const auto posted = open == std::string::npos ? path + '"' : path.substr(0, open);
    CHECK(scenarios.find("\"post\":\"" + posted) != std::string::npos);
    const auto corpus = read_tree_file(tests_dir / "fuzz/corpus/ingest" / name);
    REQUIRE(!corpus.empty());
    CHECK(static_cast<std::uint8_t>(corpus[0]) == index++);
    CHECK(test::decoded_as(name, corpus.substr(1)).received > 0);
  }
}

TEST_CASE("formats have names, routes and recorded kinds of their own") {
  std::set<std::string_view> names;
  std::set<std::string_view> paths;
  for (const auto* format : ingest_formats()) {
    CHECK(names.insert(format->route.format).second);
    CHECK(paths.insert(format->route.path).second);
    CHECK(find_format(format->route.format) == format);
    CHECK(limits{}.http.*format->route.body_bytes > 0);
  }
  CHECK(find_format("none") == nullptr);
  for (const auto& [kind, name] : enum_table<telemetry_kind>::rows)
    CHECK(format_recording(kind).recorded->kind == kind);
}

} // namespace gasoline
