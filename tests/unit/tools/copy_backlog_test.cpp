#include "tools/run/copy_backlog.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t mebi = 1U << 20U;

std::vector<std::string> taken_from(copy_backlog& backlog) {
  std::vector<std::string> out;
  for (; !backlog.empty(); backlog.pop())
    out.emplace_back(backlog.front());
  return out;
}

std::uint64_t gap_in(const std::string& packet) {
  REQUIRE(packet.front() == 'g');
  return std::stoull(packet.substr(1));
}

/// Of packets, the bytes of the command.
std::string bytes_of(const std::vector<std::string>& packets) {
  std::string out;
  for (const auto& packet : packets)
    if (packet.front() == 'o' || packet.front() == 'e')
      out += packet.substr(1);
  return out;
}

} // namespace

TEST_CASE("what waits for the observer keeps its order, and little pieces share a packet") {
  copy_backlog backlog;
  backlog.add(copy_kind::output, "one ");
  backlog.add(copy_kind::output, "two");
  backlog.add(copy_kind::error, "no");
  backlog.add(copy_kind::output, "three");
  backlog.add(copy_kind::status, "0");
  CHECK(taken_from(backlog) == std::vector<std::string>{"oone two", "eno", "othree", "s0"});
}

TEST_CASE("no packet is larger than the observer reads at once") {
  copy_backlog backlog;
  const std::string much(200'000, 'x');
  backlog.add(copy_kind::output, much);
  backlog.add(copy_kind::output, much);
  const auto packets = taken_from(backlog);
  for (const auto& packet : packets)
    CHECK(packet.size() <= 65'537);
  CHECK(bytes_of(packets) == much + much);
  CHECK(backlog.left_out() == 0);
}

TEST_CASE("8 MB wait whole; of more the newest 1 MB stays, behind a gap that says so") {
  copy_backlog backlog;
  std::string all;
  for (int line = 0; all.size() < 8 * mebi - 1000; ++line) {
    const auto text = "line " + std::to_string(line) + "\n";
    backlog.add(copy_kind::output, text);
    all += text;
  }
  CHECK_FALSE(backlog.is_behind());
  const std::string rest(mebi / 2, '.');
  backlog.add(copy_kind::output, rest);
  all += rest;
  CHECK(backlog.is_behind());
  auto packets = taken_from(backlog);
  const auto missing = gap_in(packets.front());
  const auto kept = bytes_of(packets);
  CHECK(missing == backlog.left_out());
  CHECK(kept.size() + missing == all.size());
  CHECK(kept.size() > mebi * 3 / 4);
  CHECK(kept.size() <= mebi);
  CHECK(all.ends_with(kept));
}

TEST_CASE("while it is behind, 1 MB is the most that waits; once all was taken, 8 MB may again") {
  copy_backlog backlog;
  const std::string piece(mebi, 'p');
  for (int i = 0; i < 9; ++i)
    backlog.add(copy_kind::output, piece);
  for (int i = 0; i < 20; ++i)
    backlog.add(copy_kind::output, piece);
  backlog.add(copy_kind::status, "256");
  const auto packets = taken_from(backlog);
  CHECK(gap_in(packets.front()) == backlog.left_out());
  CHECK(bytes_of(packets).size() + backlog.left_out() == 29 * mebi);
  CHECK(bytes_of(packets).size() <= mebi);
  CHECK(packets.back() == "s256");
  CHECK_FALSE(backlog.is_behind());
  const auto before = backlog.left_out();
  for (int i = 0; i < 7; ++i)
    backlog.add(copy_kind::output, piece);
  CHECK(backlog.left_out() == before);
}

TEST_CASE("bytes that nobody kept are one gap at their place") {
  copy_backlog backlog;
  backlog.add(copy_kind::output, "before");
  backlog.leave_out(10);
  backlog.leave_out(0);
  backlog.leave_out(20);
  backlog.add(copy_kind::output, "behind");
  CHECK(taken_from(backlog) == std::vector<std::string>{"obefore", "g30", "obehind"});
  CHECK(backlog.left_out() == 30);
}

} // namespace gasoline
