#include "transport/attach/attach_hello.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

using namespace gasoline;

TEST_CASE("a hello says who speaks and from where") {
  const auto hello = parse_hello(hello_text(attach_role::observer));
  REQUIRE(hello);
  CHECK(hello->role == attach_role::observer);
  CHECK(hello->pid == ::getpid());
  CHECK(hello->working_directory == std::filesystem::current_path().string());
}

TEST_CASE("another version of the protocol is refused with the pid of who speaks it") {
  const auto hello =
      parse_hello(R"({"hello":"gasoline","protocol":99,"role":"engine","pid":4711,"cwd":"/"})");
  REQUIRE_FALSE(hello);
  CHECK(hello.error().message.find("4711") != std::string::npos);
  CHECK(hello.error().message.find("99") != std::string::npos);
}

TEST_CASE("what is no hello is refused") {
  for (const auto* line :
       {"", "{", "[]", "7", "null", R"({"hello":1})", R"({"hello":"other","protocol":1})",
        R"({"hello":"gasoline","protocol":1,"role":"boss","pid":1})",
        R"({"hello":"gasoline","protocol":"1","role":"client"})",
        R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"}) {
    CAPTURE(line);
    CHECK_FALSE(parse_hello(line));
  }
}
