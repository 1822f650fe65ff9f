#pragma once

#include "config/values/user_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gasoline {

/// Where a model provider of agent sessions is, and where its key is.
struct provider_settings {
  std::string base_url;           ///< http or https, without a slash at the end
  std::filesystem::path key_file; ///< empty: the key is in the environment, or none is needed
  bool allow_plain_http = false;  ///< a key may travel to another machine without encryption
};

/// What a model costs, in USD per million tokens.
struct model_price {
  double input = 0;
  double cached = 0; ///< of input that was read from the provider's cache
  double output = 0;
};

/// What becomes of a tool call before it is run.
enum class permission_choice : std::uint8_t {
  allow,
  ask, ///< a person answers; no answer is a no
  deny
};

/// The owner's rule for the calls of one tool. Patterns hold `*` for any text. One of `deny` is
/// looked for in the whole call and in each part of a command line, and beats the others; one of
/// `allow` has to fit all of it, and fits no command line that goes on with another command.
struct permission_rule {
  permission_choice otherwise = permission_choice::ask;
  std::vector<std::string> allow;
  std::vector<std::string> deny;
};

/// What agent sessions may do and whom they ask.
struct session_settings {
  bool allow_shell = false; ///< sessions that ask for it get the `shell` tool
  provider_settings anthropic{"https://api.anthropic.com", {}};
  provider_settings openai{"https://api.openai.com/v1", {}}; ///< or any server that speaks the same
  std::map<std::string, model_price, std::less<>>
      prices; ///< by `PROVIDER:MODEL`; a `*` at its end is any ending
  std::map<std::string, permission_rule, std::less<>> permissions; ///< by the tool's name
};

/// The price of a model (`PROVIDER:MODEL`): that of its name, else of the longest beginning.
std::optional<model_price> price_of(const session_settings& settings, std::string_view model);

/// Reads `sessions` of a configuration file. `where` begins the sentence of a refusal.
result_or<std::monostate> read_session_settings(session_settings& into, const nlohmann::json& value,
                                                const std::string& where);

} // namespace gasoline
