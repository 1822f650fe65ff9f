#include "actors/agents/tools/command_supervisor.hpp"

#include <string_view>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

/// The tests of commands start this program as their supervisor.
int main(int argc, char** argv) {
  if (argc == 3 && std::string_view{argv[1]} == gasoline::supervisor_argument)
    return gasoline::supervise_command(argv[2]);
  return doctest::Context{argc, argv}.run();
}
