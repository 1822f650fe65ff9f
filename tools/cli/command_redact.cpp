#include "tools/cli/command_redact.hpp"

#include "actors/redaction/redaction_engine.hpp"
#include "actors/redaction/rules/mask_log.hpp"

#include <iostream>
#include <iterator>
#include <string>

namespace gasoline {

int run_redact(const settings& config) {
  const redaction_engine engine{config.redaction_rules, config.limit};
  const std::string text{std::istreambuf_iterator<char>{std::cin}, {}};
  redaction::mask_log log{redaction::mask_style::named};
  std::cout << engine.text(text, log).view() << std::flush;
  if (log.counts().empty())
    std::cerr << "nothing is masked\n";
  for (const auto& [rule, count] : log.counts())
    std::cerr << rule << ": " << count << '\n';
  return std::cout.good() ? 0 : 1;
}

} // namespace gasoline
