#include "actors/mcp/protocol/request_state.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace std::chrono_literals;
using nlohmann::json;

TEST_CASE("a state comes back to the same client and request before it expires") {
  const request_state_seal seal;
  const json state{{"round", 2}, {"name", "Zoë"}};
  const auto text = seal.seal(state, "client", "request", mono_time{10s});
  const auto back = seal.open(text, "client", "request", mono_time{9'999ms});
  REQUIRE(back);
  CHECK(*back == state);
  CHECK(!seal.open(text, "client", "request", mono_time{10s}));
  CHECK(!seal.open(text, "other", "request", mono_time{}));
  CHECK(!seal.open(text, "client", "other", mono_time{}));
  // The parts must not run together.
  CHECK(!seal.open(text, "clientr", "equest", mono_time{}));
}

TEST_CASE("no change to a state goes unnoticed") {
  const request_state_seal seal;
  const auto text = seal.seal({{"admin", false}}, "c", "r", mono_time{10s});
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto forged = text;
    forged[i] = forged[i] == '0' ? '1' : '0';
    CHECK(!seal.open(forged, "c", "r", mono_time{}));
    CHECK(!seal.open(text.substr(0, i), "c", "r", mono_time{}));
  }
  for (const auto* hostile : {"", ".", "..", "zz.zz", "00.", ".00", "\xff.\xff"})
    CHECK(!seal.open(hostile, "c", "r", mono_time{}));
}

TEST_CASE("a state of another process is refused") {
  const auto text = request_state_seal{}.seal(1, "c", "r", mono_time{10s});
  CHECK(!request_state_seal{}.open(text, "c", "r", mono_time{}));
}
