#include "tools/run/findings/line_expression.hpp"

#include <cstdint>

namespace gasoline {

RE2::Options line_options() {
  RE2::Options out;
  out.set_encoding(RE2::Options::EncodingLatin1); // names in output may be anything
  out.set_max_mem(std::int64_t{64} << 20);
  out.set_log_errors(false);
  return out;
}

line_expression compiled_line(const char* expression) {
  return *expression == '\0' ? nullptr : std::make_unique<RE2>(expression, line_options());
}

bool found_in(const line_expression& expression, std::string_view line) {
  return expression && RE2::PartialMatch({line.data(), line.size()}, *expression);
}

std::string_view without_indent(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

} // namespace gasoline
