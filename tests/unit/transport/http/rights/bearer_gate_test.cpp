#include "transport/http/rights/bearer_gate.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

TEST_CASE("without a token everything passes") {
  const bearer_gate gate;
  CHECK(gate.is_open());
  CHECK(gate.admits(std::nullopt));
  CHECK(gate.admits("Basic abc"));
  CHECK(gate.admits_query(""));
}

TEST_CASE("the header carries the whole token and nothing else") {
  const bearer_gate gate{"a-b_c.123"};
  CHECK(gate.admits("Bearer a-b_c.123"));
  CHECK(gate.admits("bearer   a-b_c.123"));
  for (const auto* wrong :
       {"", "Bearer", "Bearer ", "Bearer a-b_c.12", "Bearer a-b_c.1234", "Bearer A-B_C.123",
        "Basic a-b_c.123", "a-b_c.123", "Bearer a-b_c.123 x", "Bearera-b_c.123"}) {
    CAPTURE(wrong);
    CHECK_FALSE(gate.admits(wrong));
  }
  CHECK_FALSE(gate.admits(std::nullopt));
}

TEST_CASE("the query carries it by name, percent-encoded or not") {
  const bearer_gate gate{"a+b/c="};
  CHECK(gate.admits_query("token=a+b/c="));
  CHECK(gate.admits_query("v=3&token=a%2Bb%2fc%3D&x"));
  for (const auto* wrong : {"", "token", "token=", "token=a+b/c", "xtoken=a+b/c=", "Token=a+b/c=",
                            "token=a%2", "token=a%2Bb%2fc%3", "&&&", "token=%zz"}) {
    CAPTURE(wrong);
    CHECK_FALSE(gate.admits_query(wrong));
  }
}

TEST_CASE("comparison takes texts of any length") {
  CHECK(equal_in_constant_time("", ""));
  CHECK(equal_in_constant_time("same", "same"));
  CHECK_FALSE(equal_in_constant_time("same", "samesame"));
  CHECK_FALSE(equal_in_constant_time("samesame", "same"));
  CHECK_FALSE(equal_in_constant_time("x", ""));
  CHECK_FALSE(equal_in_constant_time("", "x"));
}
