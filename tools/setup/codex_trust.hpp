#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Whether Codex runs a hook of its file: it skips, without a word, what its user has not trusted.
enum class codex_trust {
  trusted,
  changed, ///< it was trusted, and is another one now
  missing, ///< nobody has trusted it, or it was turned off
};

/// One of our hooks in Codex's file, with what Codex knows of it.
struct codex_hook {
  std::string event; ///< `PostToolUse`
  codex_trust trust = codex_trust::missing;
};

/// Our hooks in the text of `hooks.json`, which lies at `hooks_file`, by what the text of
/// `config.toml` says of them. A text that is no JSON has none.
std::vector<codex_hook> codex_hooks(std::string_view hooks_json,
                                    const std::filesystem::path& hooks_file,
                                    std::string_view config_toml);

} // namespace gasoline
