#include "actors/resolution/commit_log.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

namespace {

const std::string a(40, 'a');
const std::string b(40, 'b');

std::string line(const std::string& from, const std::string& to, const std::string& rest) {
  return from + ' ' + to + " Ann Lee <ann@mail.test> " + rest + '\n';
}

} // namespace

TEST_CASE("commit_log: each change of the tree is read, with what git calls it") {
  const auto log = line(std::string(40, '0'), a, "1700000000 +0100\tcommit (initial): First: one") +
                   line(a, b, "1700000060 +0100\tcheckout: moving from main to fix") +
                   line(b, a, "1700000090 +0100\tpull");
  const auto changes = tree_changes_in(log);
  REQUIRE(changes.size() == 3);
  CHECK(changes[0].commit == "aaaaaaa");
  CHECK(changes[0].seconds == 1'700'000'000);
  CHECK(changes[0].what == "commit (initial)");
  CHECK(changes[0].subject == "First: one");
  CHECK(changes[1].what == "checkout");
  CHECK(changes[2].what == "pull");
  CHECK(changes[2].subject.empty());
}

TEST_CASE("commit_log: what is no change, or is cut, is passed over") {
  CHECK(tree_changes_in("").empty());
  CHECK(tree_changes_in("aaaa bbbb x\tcommit: y\n").empty());
  CHECK(tree_changes_in(line(a, a, "1700000000 +0000\treset: moving to HEAD")).empty());
  CHECK(tree_changes_in(line(a, b, "soon +0000\tcommit: y")).empty());
  CHECK(tree_changes_in(line(a, b, "1700000000 +0000")).empty());
  const auto cut = line(a, b, "1700000000 +0000\tcommit: y").substr(20) +
                   line(a, b, "1700000001 +0000\tcommit: z");
  REQUIRE(tree_changes_in(cut).size() == 1);
  CHECK(tree_changes_in(cut)[0].subject == "z");
}
