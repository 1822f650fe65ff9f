#include "actors/agents/turn/permission_rules.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

namespace {

permission_choice choice_for(const permission_rule& rule, const std::string& command,
                             const session_summary& session = {}) {
  session_settings settings;
  settings.permissions["shell"] = rule;
  tool_request request;
  request.tool_name = "shell";
  request.input = {{"command", command}};
  return verdict_of(settings, request, session).choice;
}

} // namespace

TEST_CASE("patterns fit whole texts") {
  CHECK(fits_pattern("npm test*", "npm test"));
  CHECK(fits_pattern("npm test*", "npm test -- --watch"));
  CHECK(fits_pattern("*.md", "a/b.md"));
  CHECK(fits_pattern("a*b*c", "a1b2b3c"));
  CHECK(fits_pattern("*", ""));
  CHECK_FALSE(fits_pattern("npm test", "npm test x"));
  CHECK_FALSE(fits_pattern("a*b", "abc"));
  CHECK_FALSE(fits_pattern("", "a"));
}

TEST_CASE("what is allowed goes no further than its pattern") {
  const permission_rule rule{permission_choice::ask, {"npm test*", "git status"}, {}};
  CHECK(choice_for(rule, "npm test -- a") == permission_choice::allow);
  CHECK(choice_for(rule, "git status") == permission_choice::allow);
  for (const auto* command :
       {"npm test; rm -rf /", "npm test && curl x", "npm test | sh", "npm test\nrm x",
        "npm test $(rm x)", "npm test `rm x`", "npm test > /etc/passwd", "npm test & rm x",
        "git status -s", "npm tes"})
    CHECK_MESSAGE(choice_for(rule, command) == permission_choice::ask, command);
}

TEST_CASE("what is denied is found in each part of a command") {
  const permission_rule rule{permission_choice::allow, {"rm tmp*"}, {"rm *", "*sudo*"}};
  CHECK(choice_for(rule, "ls") == permission_choice::allow);
  for (const auto* command :
       {"rm x", "ls; rm x", "true && rm -rf .", "(rm x)", "a | sudo b", "echo $(rm x)", "rm tmp"})
    CHECK_MESSAGE(choice_for(rule, command) == permission_choice::deny, command);
  CHECK(choice_for(rule, "confirm x") == permission_choice::allow);
}

TEST_CASE("what is denied is denied however it is written") {
  const permission_rule rule{permission_choice::allow, {}, {"rm *", "git push*"}};
  for (const auto* command :
       {"rm\tx", "  rm   x", "/bin/rm x", "\\rm x", "'rm' x", "r\"\"m x", "A=1 B= rm x",
        "env A=1 rm x", "command rm x", "if rm x; then true; fi", "! rm x", "git  push",
        "\"git\" 'push' --force", "true;/usr/bin/git push"})
    CHECK_MESSAGE(choice_for(rule, command) == permission_choice::deny, command);
  for (const auto* command : {"ls rm", "git pull", "./rm/x", "rmdir x", "a=rm ls", ""})
    CHECK_MESSAGE(choice_for(rule, command) == permission_choice::allow, command);
}

TEST_CASE("a session may loosen what asks, not what denies") {
  session_summary session;
  session.grants = {"shell"};
  CHECK(choice_for({permission_choice::ask, {}, {}}, "ls", session) == permission_choice::allow);
  CHECK(choice_for({permission_choice::deny, {}, {}}, "ls", session) == permission_choice::deny);
  CHECK(choice_for({permission_choice::ask, {}, {"ls"}}, "ls", session) == permission_choice::deny);
}

TEST_CASE("without a rule the shell asks and other tools do not") {
  tool_request request;
  request.tool_name = "shell";
  request.input = {{"command", "ls"}};
  CHECK(verdict_of({}, request, {}).choice == permission_choice::ask);
  request.tool_name = "read_file";
  CHECK(verdict_of({}, request, {}).choice == permission_choice::allow);
}
