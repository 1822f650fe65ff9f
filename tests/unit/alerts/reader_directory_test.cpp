#include "actors/alerts/reader_directory.hpp"
#include "tests/unit/support/alert_samples.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

namespace {

constexpr process_key claude_process{100, 7};
constexpr process_key other_claude{200, 8};
constexpr process_key editor{50, 1};

agent_place in_project(std::vector<process_key> processes, std::string directory = "/home/p") {
  return {std::move(processes), std::move(directory)};
}

hook_question asked(std::string conversation, agent_place place, bool begins = false) {
  hook_question out;
  out.agent = "claude";
  out.conversation = std::move(conversation);
  out.place = std::move(place);
  out.begins = begins;
  return out;
}

} // namespace

TEST_CASE("hooks and client of one agent process are one reader") {
  reader_directory d;
  d.client_came(1, in_project({claude_process}), at(0s));
  const auto client = d.reader_of(1, at(1s));
  const auto heard = d.hook_asked(asked("a", in_project({claude_process})), at(2s));
  CHECK(heard.reader == client);
  CHECK(heard.same == 0);
}

TEST_CASE("two agents in one project stay apart") {
  reader_directory d;
  d.client_came(1, in_project({claude_process}), at(0s));
  d.client_came(2, in_project({other_claude}), at(0s));
  const auto first = d.hook_asked(asked("a", in_project({claude_process})), at(1s)).reader;
  const auto second = d.hook_asked(asked("b", in_project({other_claude})), at(1s)).reader;
  CHECK(first == d.reader_of(1, at(2s)));
  CHECK(second == d.reader_of(2, at(2s)));
  CHECK(first != second);
}

TEST_CASE("the nearest common process decides, not a shared editor above") {
  reader_directory d;
  d.client_came(1, in_project({claude_process, editor}), at(0s));
  d.client_came(2, in_project({other_claude, editor}), at(0s));
  const auto heard = d.hook_asked(asked("b", in_project({other_claude, editor})), at(1s)).reader;
  CHECK(heard == d.reader_of(2, at(1s)));
}

TEST_CASE("of several clients of one process the working directory decides; without one, none") {
  reader_directory d;
  d.client_came(1, in_project({editor}, "/home/p"), at(0s));
  d.client_came(2, in_project({editor}, "/home/q"), at(0s));
  CHECK(d.hook_asked(asked("q", in_project({editor}, "/home/q/src")), at(1s)).reader ==
        d.reader_of(2, at(1s)));
  const auto unknown = d.hook_asked(asked("r", in_project({editor}, "/home/r")), at(1s)).reader;
  CHECK(unknown != d.reader_of(1, at(1s)));
  CHECK(unknown != d.reader_of(2, at(1s)));
}

TEST_CASE("a remote common process with other directories joins nothing") {
  reader_directory d;
  d.client_came(1, in_project({claude_process, editor}, "/home/p"), at(0s));
  const auto heard =
      d.hook_asked(asked("a", in_project({other_claude, editor}, "/home/q")), at(1s));
  CHECK(heard.reader != d.reader_of(1, at(1s)));
}

TEST_CASE("a conversation that begins anew at a client takes it over, with nothing read") {
  reader_directory d;
  d.client_came(1, in_project({claude_process}), at(0s));
  const auto first = d.hook_asked(asked("a", in_project({claude_process}), true), at(1s)).reader;
  const auto second = d.hook_asked(asked("b", in_project({claude_process}), true), at(2s)).reader;
  CHECK(first != second);
  CHECK(d.reader_of(1, at(3s)) == second);
  const auto again = d.hook_asked(asked("a", in_project({claude_process}), true), at(4s)).reader;
  CHECK(again == first);
  CHECK(d.reader_of(1, at(5s)) == first);
}

TEST_CASE("a client that serves two conversations in turn belongs to neither") {
  reader_directory d;
  d.client_came(1, in_project({editor}), at(0s));
  const auto first = d.hook_asked(asked("a", in_project({editor})), at(1s)).reader;
  const auto second = d.hook_asked(asked("b", in_project({editor})), at(2s)).reader;
  const auto client = d.reader_of(1, at(3s));
  CHECK(client != first);
  CHECK(client != second);
  CHECK(d.hook_asked(asked("a", in_project({editor})), at(4s)).reader == first);
  CHECK(d.reader_of(1, at(5s)) == client);
}

TEST_CASE("a process number that is used again is another agent") {
  reader_directory d;
  d.client_came(1, in_project({{100, 7}}), at(0s));
  const auto heard = d.hook_asked(asked("a", in_project({{100, 9}})), at(1s));
  CHECK(heard.reader != d.reader_of(1, at(1s)));
}

TEST_CASE("a client without a known process goes with its reader") {
  reader_directory d;
  d.client_came(1, {}, at(0s));
  const auto reader = d.reader_of(1, at(1s));
  CHECK(d.client_left(1, at(2s)) == reader);
  CHECK(d.entries().empty());
}

TEST_CASE("readers without a client are forgotten after the idle time, the others never") {
  limits::alert_limits limit;
  limit.reader_idle_ms = 60'000;
  reader_directory d{limit};
  d.client_came(1, in_project({claude_process}), at(0s));
  const auto kept = d.reader_of(1, at(0s));
  const auto idle = d.hook_asked(asked("b", in_project({other_claude})), at(0s)).reader;
  CHECK(d.take_expired(at(59s)).empty());
  CHECK(d.take_expired(at(61s)) == std::vector<reader_id>{idle});
  CHECK(d.reader_of(1, at(62s)) == kept);
  CHECK(d.hook_asked(asked("b", in_project({other_claude})), at(63s)).reader != idle);
}

TEST_CASE("there are never more silent readers than the limit") {
  limits::alert_limits limit;
  limit.readers = 10;
  reader_directory d{limit};
  for (int i = 0; i < 1'000; ++i) {
    d.hook_asked(asked(std::to_string(i), {}), at(std::chrono::seconds{i}));
    d.take_expired(at(std::chrono::seconds{i}));
    CHECK(d.entries().size() <= 10);
  }
}

TEST_CASE(
    "a client that names its conversation is of that one, and goes over to the next it names") {
  reader_directory d;
  const auto place = in_project({claude_process});
  const auto a = d.hook_asked(asked("a", place), at(0s)).reader;
  const auto b = d.hook_asked(asked("b", place), at(0s)).reader;
  REQUIRE(a != b);
  d.client_came(1, place, at(1s));
  CHECK(d.client_spoke(1, "a", at(2s)).reader == a);
  CHECK(d.reader_of(1, at(2s)) == a);
  CHECK(d.client_spoke(1, "b", at(3s)).reader == b);
  CHECK(d.reader_of(1, at(3s)) == b);
  d.client_spoke(1, "", at(4s));
  d.client_spoke(1, std::string(200, 'x'), at(4s));
  d.client_spoke(7, "a", at(4s));
  CHECK(d.reader_of(1, at(4s)) == b);
}

TEST_CASE("what a client was shown before its conversation was known goes with the one it named") {
  reader_directory d;
  d.client_came(1, in_project({editor}), at(0s));
  d.client_spoke(1, "a", at(1s));
  const auto reader = d.reader_of(1, at(1s));
  // No process in common: only the name joins them.
  const auto heard = d.hook_asked(asked("a", in_project({claude_process}, "/other")), at(2s));
  CHECK((heard.reader == reader || heard.same == reader));
  CHECK(d.reader_of(1, at(3s)) == heard.reader);
  // A client that names its conversations is not taken for another one nearby.
  CHECK(d.hook_asked(asked("c", in_project({editor})), at(4s)).reader != heard.reader);
}

TEST_CASE("roots of a client are where it works, unless its process lies below one of them") {
  reader_directory d;
  d.client_came(1, in_project({claude_process}, "/home"), at(0s));
  CHECK(d.directories_of(1) == std::vector<std::string>{"/home"});
  d.client_works_in(1, {"/home/p", "/home/q"});
  CHECK(d.directories_of(1) == std::vector<std::string>{"/home/p", "/home/p", "/home/q"});
  d.client_works_in(1, {});
  CHECK(d.directories_of(1) == std::vector<std::string>{"/home"});
  d.client_came(2, in_project({other_claude}, "/home/q/src"), at(0s));
  d.client_works_in(2, {"/home/p", "/home/q"});
  CHECK(d.directories_of(2).front() == "/home/q/src");
  d.client_works_in(3, {"/home/p"}); // nobody
  CHECK(d.directories_of(3).empty());
}

TEST_CASE("a hook is asked for in its own directory and in the roots of its client") {
  reader_directory d;
  d.client_came(1, in_project({claude_process}, "/home"), at(0s));
  d.client_works_in(1, {"/home/p", "/home/q"});
  const auto reader =
      d.hook_asked(asked("a", in_project({claude_process}, "/home/p")), at(1s)).reader;
  CHECK(reader == d.reader_of(1, at(1s)));
  CHECK(d.directories_of(reader, "/home/p") ==
        std::vector<std::string>{"/home/p", "/home/p", "/home/q"});
  CHECK(d.directories_of(1).front() == "/home/p");
}
