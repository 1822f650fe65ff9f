#pragma once

#include "actors/redaction/rules/known_values.hpp"
#include "actors/redaction/rules/mask_log.hpp"
#include "actors/redaction/rules/triggers/trigger_table_set.hpp"
#include "actors/redaction/rules/triggers/triggers.hpp"
#include "actors/redaction/rules/user_rules.hpp"
#include "config/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// A token found in a text: what is masked, and the mask.
struct found_token {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string mask;
};

/// Built-in and user rules in the form that the passes use. Never changes; one thread at a time or
/// many, as `const` allows.
class compiled_rules {
 public:
  /// `known`: secrets of the engine itself.
  compiled_rules(const std::vector<redaction_rule>& rules,
                 const limits_of<ingest_room, redaction_room>& limit,
                 const std::vector<std::string>& known);

  /// How many levels of JSON inside JSON strings are taken apart.
  std::size_t json_levels() const noexcept { return json_levels_; }
  /// How deep objects and arrays may nest; what nests deeper is read as text.
  std::size_t json_depth() const noexcept { return json_depth_; }

  /// The filter: whether anything in the text may be a secret, ill-formed or unsafe to show. Most
  /// texts are cleared here and never looked at again.
  bool suspicious(std::string_view text) const;

  /// The token of that shape that begins at `begin`.
  std::optional<found_token> find_shape(std::size_t shape, std::string_view text,
                                        std::size_t begin) const;

  /// The rules of the user's configuration.
  const user_rules& of_user() const noexcept { return user_; }

  /// Masks what has no shape that built-in rules know: the engine's own secrets, and what the rules
  /// of the user match, in `text` from `begin` on.
  void apply_own(std::string& text, std::size_t begin, mask_log& log) const;

  /// Whether what no built-in rule minds may still have to be masked in this text: there are rules
  /// of the user, or a secret of the engine itself stands in it.
  bool minds_any(std::string_view text) const { return !user_.empty() || known_.occur_in(text); }

  /// The text with known values masked; nothing when it holds none.
  std::optional<std::string> without_known(std::string_view text, mask_log& log) const;

 private:
  std::size_t json_levels_;
  std::size_t json_depth_;
  user_rules user_;
  known_values known_;
  std::optional<trigger_table_set> user_filter_; ///< the literals of user rules
};

struct pass_context;

/// The pass over free text, as the pass over documents calls it for the strings in one: appends to
/// `out` what may be shown of `in`, looking into `levels` levels of JSON.
using text_cleaner = void (*)(const pass_context& context, std::string_view in, std::string& out,
                              std::size_t levels);

/// What every pass of one redaction works with.
struct pass_context {
  const compiled_rules& rules;
  mask_log& log;
  text_cleaner clean_text;
};

/// Whether the dot at `dot` is the first of a bot token `id.time.signature`; then its extent.
std::optional<found_token> find_bot_token(std::string_view text, std::size_t dot);

} // namespace gasoline::redaction
