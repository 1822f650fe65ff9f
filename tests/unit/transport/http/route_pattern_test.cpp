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

TEST_CASE("a path's parameters are found by name and decoded") {
  const std::string_view pattern = "/sessions/{session}/messages/{message}/feedback";
  const std::string_view path = "/sessions/s%201/messages/m%zz/feedback";
  CHECK(path_parameter(pattern, path, "session") == "s 1");
  CHECK_FALSE(path_parameter(pattern, path, "message"));
  CHECK_FALSE(path_parameter(pattern, path, "other"));
  CHECK_FALSE(path_parameter("/logs", "/logs", "logs"));
}
