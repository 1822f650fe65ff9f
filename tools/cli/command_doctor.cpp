#include "tools/cli/command_doctor.hpp"

#include "config/memory_sum.hpp"
#include "tools/doctor/agent_checks.hpp"
#include "tools/doctor/engine_checks.hpp"
#include "tools/setup/this_machine.hpp"

#include <iostream>

namespace gasoline {

int run_doctor(const settings& config, const doctor_options& options) {
  diagnosis found;
  const auto health = check_engine(config, found);
  check_agents(passed_arguments(options.flags), health, found);
  if (options.as_json)
    std::cout << found.document().dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
  else
    found.print(std::cout);
  return found.is_well() ? 0 : 1;
}

int run_doctor_limits(const settings& config) {
  for (const auto& row : limit_table())
    std::cout << row.name << " = " << row.get(config.limit) << '\n';
  std::cout << "memory when all of them are reached at once: " << (memory_sum(config.limit) >> 20U)
            << " MiB\n";
  return 0;
}

} // namespace gasoline
