#pragma once

#include "actors/redaction/rules/mask_log.hpp"
#include "actors/redaction/rules/triggers/triggers.hpp"
#include "config/settings.hpp"

#include <re2/re2.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// The rules of the user's configuration. Each expression is reduced to literals one of which every
/// match must contain; where none of them occurs, no expression is run, so that the cost of a text
/// does not grow with the number of rules. Never changes.
class user_rules {
 public:
  /// The patterns have been checked by the settings loader.
  explicit user_rules(const std::vector<redaction_rule>& rules);

  bool empty() const noexcept { return rules_.empty(); }

  /// Triggers, one per literal, that send a text to `matches`.
  const std::vector<trigger>& literals() const noexcept { return literals_; }

  /// Whether a text without any of the literals may match all the same: a rule has no literal, or
  /// the text has letters whose other case is no ASCII letter.
  bool needs_every_text(std::string_view text) const;

  /// Whether any rule matches.
  bool matches(std::string_view text) const;

  /// Masks what the rules match in `text` from `begin` on.
  void apply(std::string& text, std::size_t begin, mask_log& log) const;

 private:
  struct rule {
    std::string mask;
    std::unique_ptr<const re2::RE2> pattern;
  };

  void find_literals(const std::vector<redaction_rule>& rules);

  std::vector<rule> rules_;
  std::unique_ptr<const re2::RE2> any_;
  std::vector<trigger> literals_;
  bool has_rule_without_literal_ = false;
};

} // namespace gasoline::redaction
