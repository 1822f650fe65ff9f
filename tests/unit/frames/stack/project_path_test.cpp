#include "actors/frames/frame_rewriting.hpp"
#include "actors/frames/stack/project_path.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace gasoline;

namespace {

TEST_CASE("sources are named as the project names them") {
  const std::pair<std::string, std::string> rows[] = {
      {"http://localhost:1/src/App.jsx?t=17", "src/App.jsx"},
      {"http://localhost:1/@fs/srv/kit/a.js", "/srv/kit/a.js"},
      {"http://localhost:1/src/Cart.vue?vue&type=script", "src/Cart.vue"},
      {"http://localhost:1/__parcel_source_root/src/a.js", "src/a.js"},
      {"webpack:///./src/shop.js?", "src/shop.js"},
      {"webpack://shop/./src/a.js?1f", "src/a.js"},
      {"webpack://shop/src/a.js", "src/a.js"},
      {"webpack://_N_E/(app-pages-browser)/./app/page.js", "app/page.js"},
      {"webpack-internal:///(app-pages-browser)/./app/page.js", "app/page.js"},
      {"webpack://_N_E/./app/(shop)/%5Bid%5D/page.js", "app/(shop)/[id]/page.js"},
      {"turbopack:///[project]/app/page.js", "app/page.js"},
      {"turbopack://[project]/app/page.js", "app/page.js"},
      {"file:///srv/shop/app/page.js", "/srv/shop/app/page.js"},
      {"file:///C:/shop/a.js", "C:/shop/a.js"},
      {"http://localhost:2/a.js", "http://localhost:2/a.js"},
      {"http://localhost:1/my%20shop/a.js", "my%20shop/a.js"},
  };
  for (const auto& row : rows)
    CHECK_MESSAGE(project_path(row.first, "http://localhost:1") == row.second, row.first);
}

TEST_CASE("frames are rewritten where a map knows them") {
  const auto map = source_map::parse(
      R"({"version":3,"sources":["webpack://a/./src/a.js"],"names":["total"],"mappings":"AAAA,SACAA"})",
      "http://localhost:1/app.js.map", {});
  REQUIRE(map);
  const auto lookup = [&](std::string_view address) -> const source_map* {
    return address == "http://localhost:1/app.js" ? &*map : nullptr;
  };
  const auto out = rewrite_frames("TypeError: x\n"
                                  "    at t (http://localhost:1/app.js:1:1)\n"
                                  "    at async http://localhost:1/app.js:1:12\n"
                                  "    at f (http://localhost:1/other.js:1:12)\n"
                                  "    at f (http://localhost:1/app.js:7:1)\n"
                                  "… 3 more frames",
                                  "http://localhost:1", lookup);
  CHECK(out.text == "TypeError: x\n"
                    "    at total (src/a.js:1:1)\n"
                    "    at async src/a.js:2:1\n"
                    "    at f (http://localhost:1/other.js:1:12)\n"
                    "    at f (http://localhost:1/app.js:7:1)\n"
                    "… 3 more frames");
  CHECK(out.mapped == 2);
}

} // namespace
