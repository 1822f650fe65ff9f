#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gasoline {
namespace {

std::string file_text(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

} // namespace

TEST_CASE("each detector has a test, is spawned by the engine, and stands in the README") {
  const std::filesystem::path tests{GASOLINE_TEST_DATA};
  const auto tree = tests.parent_path();
  const auto readme = file_text(tree / "actors/detection/README.md");
  const auto engine = file_text(tree / "actors/engine.cpp");
  std::size_t detectors = 0;
  for (const auto& entry : std::filesystem::directory_iterator{tree / "actors/detection"}) {
    if (entry.path().extension() != ".hpp" ||
        file_text(entry.path()).find("constexpr telemetry_kinds ") == std::string::npos)
      continue;
    ++detectors;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    CHECK(std::filesystem::exists(tests / "unit/detection" / (name + "_test.cpp")));
    CHECK(readme.find('`' + name + '`') != std::string::npos);
    CHECK(engine.find("caf::monitored>(" + name) != std::string::npos);
  }
  CHECK(detectors >= 3);
}

} // namespace gasoline
