#include "config/values/quoted_value.hpp"

#include <nlohmann/json.hpp>

namespace gasoline {

std::string quoted_value(const nlohmann::json& value) {
  constexpr std::size_t longest = 80;
  auto text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > longest)
    text = text.substr(0, longest) + "…";
  return text;
}

} // namespace gasoline
