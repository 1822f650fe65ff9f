#include "transport/http/route_pattern.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace gasoline;

TEST_CASE("a pattern covers its own paths and no others") {
  CHECK(covers("/logs", "/logs"));
  CHECK_FALSE(covers("/logs", "/logs/"));
  CHECK(covers("/streams/{stream}", "/streams/a"));
  CHECK(covers("/streams/{stream}/events", "/streams/a%2Fb/events"));
  for (const std::string_view path :
       {"/streams", "/streams/", "/streams//", "/streams/a/", "/streams/a/b", "/streamsx/a"}) {
    CAPTURE(path);
    CHECK_FALSE(covers("/streams/{stream}", path));
  }
  CHECK_FALSE(covers("/streams/{stream}/events", "/streams//events"));
  CHECK(covers("/streams/*", "/streams/a/b/c"));
  CHECK_FALSE(covers("/streams/*", "/streams/"));
  CHECK_FALSE(covers("/streams/*", "/streams"));
}

TEST_CASE("what leads to a path may be anything") {
  const std::string_view pattern = "*/api/{project}/envelope/";
  for (const std::string_view path :
       {"/sentry/api/1/envelope/", "/a/b/api/shop/envelope/", "//api/1/envelope/"}) {
    CAPTURE(path);
    CHECK(covers(pattern, path));
  }
  for (const std::string_view path :
       {"/api/1/envelope/", "/sentry/api/1/envelope", "/sentry/api//envelope/",
        "/sentry/api/1/envelope//", "/sentryapi/1/envelope/", "api/1/envelope/", "", "/"}) {
    CAPTURE(path);
    CHECK_FALSE(covers(pattern, path));
  }
  CHECK(path_parameter(pattern, "/a/b/api/shop/envelope/", "project") == "shop");
  CHECK(is_open_pattern(pattern));
}

TEST_CASE("a path's parameters are found by name and decoded") {
  const std::string_view pattern = "/sessions/{session}/messages/{message}/feedback";
  const std::string_view path = "/sessions/s%201/messages/m%zz/feedback";
  CHECK(path_parameter(pattern, path, "session") == "s 1");
  CHECK_FALSE(path_parameter(pattern, path, "message"));
  CHECK_FALSE(path_parameter(pattern, path, "other"));
  CHECK_FALSE(path_parameter("/logs", "/logs", "logs"));
}
