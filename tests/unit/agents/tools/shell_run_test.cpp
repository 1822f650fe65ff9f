#include "actors/agents/tools/shell_output.hpp"
#include "actors/agents/tools/shell_run.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

using namespace gasoline;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// Tells the test what the tool tells its turn.
turn_actor::behavior_type forwarding_turn(turn_actor::pointer, caf::actor test) {
  return {
      [](chunk_atom, const provider_chunks&) {},
      [test](outcome_atom, const tool_outcome& outcome) { caf::anon_send(test, outcome); },
      [](emit_atom, const event_draft&) {},
      [](permit_atom, const std::string&, permission_decision) { return false; },
      [](cancel_atom, const std::string&) {},
  };
}

/// One shell call in real time: a process cannot live in a virtual one.
class shell_probe {
 public:
  explicit shell_probe(json input, const limits& limit = {}, const std::string& directory = "/tmp")
      : me_(system_) {
    auto request = std::make_shared<tool_request>();
    request->tool_use_id = "tu_1";
    request->workspace_path = directory;
    request->input = std::move(input);
    turn = system_.spawn(forwarding_turn, caf::actor_cast<caf::actor>(me_.ptr()));
    run = shell_run(
        system_, {request, turn,
                  std::make_shared<const redaction_engine>(std::vector<redaction_rule>{}), limit});
    me_->monitor(run);
  }
  shell_probe(const shell_probe&) = delete;
  shell_probe& operator=(const shell_probe&) = delete;
  ~shell_probe() {
    caf::anon_send_exit(turn, caf::exit_reason::user_shutdown);
    run = tool_run_actor{};
  }

  tool_outcome outcome() {
    tool_outcome out;
    out.error_class = "nothing came";
    me_->receive([&](tool_outcome& told) { out = std::move(told); }, caf::after(20s) >> [] {});
    return out;
  }

  /// Whether the run has ended.
  bool ends() {
    bool down = false;
    me_->receive([&](const caf::down_msg&) { down = true; }, caf::after(20s) >> [] {});
    return down;
  }

 private:
  caf::actor_system_config config_;
  caf::actor_system system_{config_};
  caf::scoped_actor me_;

 public:
  turn_actor turn;
  tool_run_actor run;
};

/// Whether the process is gone, or a zombie that its parent has not looked at; SIGKILL may take a
/// moment.
bool is_gone(int pid) {
  const auto until = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < until) {
    std::string line;
    std::getline(std::ifstream{"/proc/" + std::to_string(pid) + "/stat"}, line);
    if (line.empty() || line.find(") Z ") != std::string::npos)
      return true;
    std::this_thread::yield();
  }
  return false;
}

std::string shell_text(const std::string& command) {
  return shell_probe{{{"command", command}}}.outcome().text;
}

} // namespace

TEST_CASE("a command's output and exit code are told") {
  auto outcome = shell_probe{{{"command", "echo out; echo err >&2; pwd"}}}.outcome();
  CHECK(outcome.text == "out\nerr\n/tmp\n");
  CHECK_FALSE(outcome.is_error);
  outcome = shell_probe{{{"command", "echo no; exit 3"}}}.outcome();
  CHECK(outcome.text == "no\n[exit code 3]");
  CHECK(outcome.is_error);
  CHECK(shell_text("true") == "(no output)");
  CHECK(shell_text("kill -9 $$").find("signal 9") != std::string::npos);
  CHECK(shell_text("cat") == "(no output)"); // nothing is on its input
}

TEST_CASE("a command gets no secret of the environment and no descriptor") {
  ::setenv("ANTHROPIC_API_KEY", "sk-ant-hidden-from-commands", 1);
  ::setenv("SOME_OTHER", "not-for-commands", 1);
  // Without a pipe, whose ends the shell itself may still hold; not last, so that it stays the
  // shell.
  const auto text = shell_text("env; cat /proc/self/environ; ls /proc/$$/fd; true");
  ::unsetenv("ANTHROPIC_API_KEY");
  ::unsetenv("SOME_OTHER");
  CHECK(text.find("hidden-from-commands") == std::string::npos);
  CHECK(text.find("not-for-commands") == std::string::npos);
  CHECK(text.find("PATH=") != std::string::npos);
  CHECK_MESSAGE(text.ends_with("\\u00000\n1\n2\n"), text);
}

TEST_CASE("output is redacted and capped") {
  CHECK(shell_text("echo password=hunter2hunter2").find("hunter2") == std::string::npos);
  limits small;
  small.session.tool_output_bytes = 1'024;
  const auto outcome =
      shell_probe{{{"command", "echo begin; head -c 1000000 /dev/zero | tr '\\0' x; echo end"}},
                  small}
          .outcome();
  CHECK(outcome.truncated);
  CHECK(outcome.text.size() < 1'200);
  CHECK(outcome.text.starts_with("begin\n"));
  CHECK(outcome.text.ends_with("end\n"));
  CHECK(outcome.text.find("bytes left out") != std::string::npos);
}

TEST_CASE("at its timeout the whole group ends, also when it ignores SIGTERM") {
  limits quick;
  quick.session.tool_kill_ms = 50;
  const auto outcome =
      shell_probe{{{"command", "trap '' TERM; sleep 100 & echo $!; while :; do sleep 1; done"},
                   {"timeout_ms", 200}},
                  quick}
          .outcome();
  CHECK(outcome.error_class == "timeout");
  CHECK(outcome.text.find("took too long") != std::string::npos);
  CHECK(is_gone(std::atoi(outcome.text.c_str())));
}

TEST_CASE("a cancelled command ends in order when it does so itself") {
  // Whether the signal finds the trap or not, there is no need to wait for SIGKILL.
  shell_probe probe{{{"command", "trap 'echo bye; exit' TERM; while :; do sleep 0.01; done"}}};
  caf::anon_send(probe.run, cancel_atom_v);
  const auto outcome = probe.outcome();
  CHECK(outcome.error_class == "cancelled");
}

TEST_CASE("what a command leaves in the background ends with it and holds nothing up") {
  const auto outcome = shell_probe{{{"command", "sleep 100 & echo $!"}}}.outcome();
  CHECK_FALSE(outcome.is_error);
  CHECK(is_gone(std::atoi(outcome.text.c_str())));
}

TEST_CASE("with its turn a command ends at once") {
  shell_probe probe{{{"command", "trap '' TERM; sleep 100"}}};
  caf::anon_send_exit(probe.turn, caf::exit_reason::user_shutdown);
  CHECK(probe.ends());
}

TEST_CASE("what cannot be run is told") {
  CHECK(shell_probe{json::object()}.outcome().error_class == "invalid_input");
  CHECK(shell_probe{{{"command", std::string{"a\0b", 3}}}}.outcome().error_class ==
        "invalid_input");
  CHECK(shell_probe{{{"command", "x"}, {"timeout_ms", 1e9}}}.outcome().error_class ==
        "invalid_input");
  CHECK(shell_probe{{{"command", std::string(300'000, 'x')}}}.outcome().text.find("too long") !=
        std::string::npos);
  const auto nowhere = shell_probe{{{"command", "true"}}, limits{}, "/nowhere/at/all"}.outcome();
  CHECK(nowhere.error_class == "denied");
}

TEST_CASE("the beginning and the end of an output are kept") {
  shell_output output{10};
  output.add("abc");
  CHECK(output.text() == "abc");
  output.add("defghij");
  CHECK(output.text() == "abcdefghij");
  CHECK_FALSE(output.truncated());
  output.add("k");
  CHECK(output.text() == "abcde\n[1 bytes left out]\nghijk");
  for (int i = 0; i < 100; ++i)
    output.add("0123456789");
  CHECK(output.text() == "abcde\n[1001 bytes left out]\n56789");
}
