#include "transport/http/rights/page_links.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace std::chrono_literals;

TEST_CASE("a link works once and within a minute; its cookie for twelve hours") {
  page_links links;
  const page_links::time_point now{};
  const auto code = links.make_code(now);
  CHECK(code.size() == 64);
  CHECK_FALSE(links.redeem("nonsense", now));
  CHECK_FALSE(links.redeem(links.make_code(now), now + 61s));
  const auto cookie = links.redeem(code, now + 59s);
  REQUIRE(cookie);
  CHECK_FALSE(links.redeem(code, now + 59s));
  CHECK(links.admits("theme=dark; gasoline_page=" + *cookie + "; x=1", now + 1h));
  CHECK_FALSE(links.admits("gasoline_page=" + *cookie, now + 13h));
  CHECK_FALSE(links.admits("gasoline_page=" + code, now));
  CHECK_FALSE(links.admits("other=" + *cookie, now));
  CHECK_FALSE(links.admits("gasoline_page=", now));
}

TEST_CASE("of many links the oldest go") {
  page_links links;
  const page_links::time_point now{};
  const auto first = links.make_code(now);
  std::string last;
  for (int i = 0; i < 16; ++i)
    last = links.make_code(now);
  CHECK_FALSE(links.redeem(first, now));
  CHECK(links.redeem(last, now));
}
