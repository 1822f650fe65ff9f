#include "tests/unit/support/websocket_bytes.hpp"
#include "transport/websocket/websocket_reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

struct heard final : websocket_events {
  void on_text(std::string text) override { texts.push_back(std::move(text)); }
  void on_ping(std::string_view payload) override { pings.emplace_back(payload); }
  void on_close(std::uint16_t code) override { closes.push_back(code); }

  std::vector<std::string> texts;
  std::vector<std::string> pings;
  std::vector<std::uint16_t> closes;
};

constexpr std::uint64_t frame_cap = 1'000;

/// What a reader makes of bytes that come in pieces of that size.
struct read_frames {
  explicit read_frames(const std::string& bytes, std::size_t piece = 1U << 20U) {
    websocket_reader reader{frame_cap};
    for (std::size_t i = 0; i < bytes.size() && !fault; i += piece)
      fault = reader.feed(std::string_view{bytes}.substr(i, piece), events);
  }

  std::uint16_t code() const { return fault ? static_cast<std::uint16_t>(fault->code) : 0; }

  heard events;
  std::optional<websocket_fault> fault;
};

} // namespace

TEST_CASE("whole and fragmented messages are read however their bytes arrive") {
  const auto bytes = client_frame(1, "hello") + client_frame(1, "sp", {.fin = false}) +
                     client_frame(9, "in between") + client_frame(0, "li", {.fin = false}) +
                     client_frame(0, "t") + client_frame(1, std::string(300, 'x')) +
                     client_frame(1, "") + client_frame(10, "unasked") +
                     client_frame(8, close_bytes(1000) + "bye");
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 100U, 5'000U}) {
    const read_frames r{bytes, piece};
    CHECK(r.code() == 0);
    CHECK(r.events.texts == std::vector<std::string>{"hello", "split", std::string(300, 'x'), ""});
    CHECK(r.events.pings == std::vector<std::string>{"in between"});
    CHECK(r.events.closes == std::vector<std::uint16_t>{1000});
  }
}

TEST_CASE("what breaks the protocol is refused by its header, with the code of RFC 6455") {
  CHECK(read_frames{client_frame(1, "x", {.mask = false})}.code() == 1002);
  CHECK(read_frames{client_frame(2, "x")}.code() == 1003);
  for (const unsigned reserved : {0x40U, 0x20U, 0x10U})
    CHECK(read_frames{client_frame(1, "x", {.reserved = reserved})}.code() == 1002);
  for (const unsigned opcode : {3U, 4U, 5U, 6U, 7U, 11U, 12U, 13U, 14U, 15U})
    CHECK(read_frames{client_frame(opcode, "")}.code() == 1002);
  CHECK(read_frames{client_frame(0, "x")}.code() == 1002);
  CHECK(read_frames{client_frame(1, "x", {.fin = false}) + client_frame(1, "y")}.code() == 1002);
  CHECK(read_frames{client_frame(9, "x", {.fin = false})}.code() == 1002);
  CHECK(read_frames{client_frame(9, std::string(126, 'x'))}.code() == 1002);
  CHECK(read_frames{client_frame(8, "x")}.code() == 1002);
  for (const unsigned code : {0U, 999U, 1004U, 1005U, 1006U, 1015U, 2000U, 2999U, 5000U})
    CHECK(read_frames{client_frame(8, close_bytes(code))}.code() == 1002);
}

TEST_CASE("lengths: no longer than they need be, no longer than the cap") {
  const std::string mask(4, '\0');
  CHECK(read_frames{"\x81\xFE" + std::string{"\0\x05", 2} + mask}.code() == 1002);
  CHECK(read_frames{"\x81\xFF" + std::string{"\0\0\0\0\0\0\x01\0", 8} + mask}.code() == 1002);
  CHECK(read_frames{"\x81\xFF" + std::string{"\x80\0\0\0\0\x01\0\0", 8} + mask}.code() == 1002);
  // 100 MB are refused before any of them has come.
  CHECK(read_frames{"\x81\xFF" + std::string{"\0\0\0\0\x05\xF5\xE1\0", 8} + mask}.code() == 1009);
  CHECK(
      read_frames{"\x81\xFF" + std::string{"\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8} + mask}.code() ==
      1009);
  CHECK(read_frames{client_frame(1, std::string(frame_cap, 'x'))}.code() == 0);
  CHECK(read_frames{client_frame(1, std::string(frame_cap + 1, 'x'))}.code() == 1009);
  std::string fragments = client_frame(1, std::string(frame_cap, 'x'), {.fin = false});
  CHECK(read_frames{fragments + client_frame(0, "", {.fin = false})}.code() == 0);
  CHECK(read_frames{fragments + client_frame(0, "y")}.code() == 1009);
}

TEST_CASE("text has to be UTF-8, over all its fragments") {
  const std::string euro = "\xE2\x82\xAC";
  const read_frames split{client_frame(1, euro.substr(0, 1), {.fin = false}) +
                          client_frame(0, euro.substr(1))};
  CHECK(split.events.texts == std::vector<std::string>{euro});
  CHECK(read_frames{client_frame(1, "\xC0\x80")}.code() == 1007);
  CHECK(read_frames{client_frame(1, "\xED\xA0\x80")}.code() == 1007);
  CHECK(read_frames{client_frame(1, euro.substr(0, 2))}.code() == 1007);
  CHECK(read_frames{client_frame(1, euro.substr(0, 2), {.fin = false}) + client_frame(0, "x")}
            .code() == 1007);
  CHECK(read_frames{client_frame(8, close_bytes(1000) + "\xFF")}.code() == 1007);
}

TEST_CASE("nothing counts behind a close frame or a fault") {
  const read_frames closed{client_frame(8, "") + client_frame(1, "late") + client_frame(2, "late")};
  CHECK(closed.code() == 0);
  CHECK(closed.events.texts.empty());
  CHECK(closed.events.closes == std::vector<std::uint16_t>{1005});
  const read_frames refused{client_frame(2, "") + client_frame(1, "late")};
  CHECK(refused.events.texts.empty());
}
