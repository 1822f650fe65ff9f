#include "actors/detection/build_watch.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace std::chrono_literals;
using news = build_watch::news;

namespace {

mono_time moment(std::chrono::milliseconds since_start) {
  return mono_time{} + 1000h + since_start;
}

build_failure printed(literal key, literal file) {
  return {redacted_text{key}, redacted_text{file}, {}, false};
}

build_failure marked(literal key, literal file) {
  return {redacted_text{key}, redacted_text{file}, {}, true};
}

} // namespace

TEST_CASE("build_watch: a failure printed once more after its repair is no news") {
  build_watch builds;
  CHECK(builds.failed(printed("first wording", "App.jsx"), moment(0ms)) == news::broken);
  CHECK(builds.failed(printed("first wording", "App.jsx"), moment(100ms)) == news::still_broken);
  CHECK(builds.passed({}, moment(1s)).size() == 1);
  CHECK(builds.failed(printed("first wording", "App.jsx"), moment(1100ms)) == news::stale);
  CHECK(builds.failed(printed("other wording", "App.jsx"), moment(1200ms)) == news::stale);
  CHECK(builds.failed(printed("other wording", "Nav.jsx"), moment(1300ms)) == news::broken);
}

TEST_CASE("build_watch: a marked failure of a file just repaired is news when it is another") {
  build_watch builds;
  CHECK(builds.failed(marked("Unexpected token", "App.jsx"), moment(0ms)) == news::broken);
  CHECK(builds.passed({}, moment(1s)).size() == 1);
  CHECK(builds.failed(marked("Unexpected token", "App.jsx"), moment(1500ms)) == news::stale);
  CHECK(builds.failed(marked("Cannot find module", "App.jsx"), moment(2s)) == news::broken);
}
