// The program `gasoline`. Hooks run at every tool call of an agent and have 5 ms, of which loading
// the engine's libraries alone would take all; the same goes for a command that `gasoline run`
// runs. So this small program does both itself and becomes `gasoline-engine`, which lies beside it,
// for everything else.
#include "tools/hook/hook_run.hpp"
#include "tools/run/command_passage.hpp"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

namespace {

std::filesystem::path engine_program() {
  std::error_code ec;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ec);
  return self.parent_path() / "gasoline-engine";
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "hook") == 0)
    return gasoline::run_hook({argv + 2, argv + argc});
  if (argc > 1 && std::strcmp(argv[1], "run") == 0)
    if (const auto run = gasoline::read_run_options({argv + 2, argv + argc}))
      return gasoline::run_command(*run);
  const auto engine = engine_program();
  ::execv(engine.c_str(), argv);
  std::cerr << "gasoline: " << engine.string() << " cannot be started ("
            << std::system_category().message(errno) << "); install it beside this program.\n";
  return 1;
}
