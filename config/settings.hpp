#pragma once

#include "config/limits.hpp"
#include "config/sections/browser_settings.hpp"
#include "config/sections/nats_settings.hpp"
#include "config/sections/origin_settings.hpp"
#include "config/session_settings.hpp"
#include "config/values/user_error.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A limit on one metric of the pages that match; exceeding it raises a `threshold` alert.
struct performance_budget {
  std::string metric;       ///< one of lcp, fcp, inp, ttfb, load (milliseconds), cls (score)
  std::string page_pattern; ///< RE2 expression, searched in origin + path
  double limit = 0;         ///< the largest value that is still within budget
};

/// A redaction rule of the user's own.
struct redaction_rule {
  std::string name;    ///< shown in `[REDACTED:name]`; letters, digits, `-`
  std::string pattern; ///< RE2 expression; what it matches is masked
};

/// Secrets of webhooks, or the files that hold them, by the name of the CI system.
using hook_secrets = std::map<std::string, std::string, std::less<>>;

/// Where and how the program runs. Made by `load_settings`, then never changed.
struct settings {
  std::string host = "127.0.0.1";         ///< a loopback address; nothing else is accepted
  std::uint16_t port = 7890;              ///< 0 takes a free port
  std::vector<std::uint16_t> listen_also; ///< further ports, where senders look by themselves
  std::filesystem::path state_dir;        ///< port file, token, log, lock
  std::filesystem::path attach_socket;    ///< empty: no further clients are taken by socket
  bool require_token = false;             ///< every HTTP route asks for the token
  std::filesystem::path token_file;       ///< the user's own; empty: `token` in the state directory
  origin_settings origins;                ///< which other pages may send, and which may read
  std::string log_level = "info";         ///< trace, debug, info, warning, error, off
  std::vector<std::string> toolsets{"core", "streams"};
  std::filesystem::path record_file; ///< empty: nothing is recorded
  bool channel = false; ///< `gasoline mcp` only: its agent takes what is pushed; never from a file
  bool conformance_fixtures = false; ///< tests only: what the public suites call; never from a file
  std::vector<performance_budget> budgets;
  std::vector<redaction_rule> redaction_rules;
  hook_secrets ci_secret_files; ///< whose webhooks have to be signed with what these files hold
  session_settings sessions;
  bool streams_on_nats = false; ///< named streams are shared there, instead of living here alone
  bool alerts_shared = false;   ///< so are the alerts; only with streams on NATS
  nats_settings nats;
  browser_settings browser; ///< the one that the engine drives
  limits limit;

  /// Whether the tools of that set are listed.
  bool has_toolset(std::string_view name) const;
};

/// Settings given on the command line; absent ones leave lower layers alone.
struct settings_flags {
  std::optional<std::string> host;
  std::optional<std::uint16_t> port;
  std::optional<std::filesystem::path> state_dir;
  std::optional<std::filesystem::path> config_file; ///< must exist when given
  std::optional<std::string> log_level;
  std::optional<std::string> toolsets; ///< comma-separated
  std::optional<std::filesystem::path> record_file;
  bool channel = false;
  bool conformance_fixtures = false; ///< tests only
  bool require_token = false;
  std::optional<std::filesystem::path> token_file; ///< implies `require_token`
  std::vector<std::string> allowed_origins;        ///< in addition to those of lower layers
  std::vector<std::string> trusted_origins;        ///< the same
  std::optional<std::string> browser_start;
  std::optional<std::filesystem::path> browser_program;
  bool browser_headless = false;
  std::vector<std::string> browser_arguments; ///< in addition to those of the file
};

/// The environment as the loader sees it: name to value.
using environment = std::map<std::string, std::string>;

/// Copies the variables that the loader reads out of the process environment.
environment process_environment();

/// Reads the layers in the order defaults < file < environment < flags. A wrong value is refused
/// with its place, never skipped.
result_or<settings> load_settings(const settings_flags& flags, const environment& env);

/// Applies a configuration document (JSON, comments allowed) to `base`.
result_or<settings> apply_config_text(settings base, std::string_view text,
                                      std::string_view file_name);

} // namespace gasoline
