#pragma once

#include "actors/noise/builtin_noise.hpp"
#include "config/limits.hpp"
#include "config/settings.hpp"
#include "messages/telemetry/event.hpp"
#include "messages/telemetry/noise.hpp"

#include <re2/re2.h>
#include <re2/set.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// Who made a rule. A client's hides what it matches. A learned one hides less: no entry of level
/// error, no uncaught error, no 5xx.
enum class rule_origin : std::uint8_t { user, learned };

/// A rule that a client added or the engine learned.
struct noise_rule {
  std::string id; ///< `rule_N`, never used again
  noise_field field = noise_field::message;
  std::string pattern; ///< RE2 expression, searched in the field
  std::string reason;
  std::string added_by;
  rule_origin origin = rule_origin::user;
  std::uint64_t hits = 0;
};

/// What `noise_rules::add` did.
struct added_rule {
  std::string id;
  bool existed = false; ///< the same pattern for that field was there before; it has this id
};

/// Decides which events are noise: the built-in rules first, then those of clients and those
/// learned. The cost of an event does
/// not grow with the number of rules: one `RE2::Set` per field, built anew when rules change.
class noise_rules {
 public:
  explicit noise_rules(const limits_of<alert_room, noise_room>& limit);

  /// The mark for `e`; counts the rules that it meets.
  noise_mark judge(const event& e);

  /// Adds a rule (its `id` and `hits` are ignored), or says why it cannot be one.
  result_or<added_rule> add(noise_rule rule);

  /// Removes one rule, or says which ids there are.
  result_or<std::string> remove(const std::string& id);

  /// Removes all rules but the built-in ones; answers how many.
  std::size_t reset();

  const std::vector<noise_rule>& rules() const noexcept { return rules_; }
  std::uint64_t hits(builtin_noise rule) const { return builtin_hits_[index(rule)]; }
  bool is_full() const noexcept { return rules_.size() >= most_rules_; }

 private:
  /// All patterns of one field.
  struct field_set {
    std::unique_ptr<re2::RE2::Set> set; ///< null: no rule looks at this field
    std::vector<std::size_t> rules;     ///< index in `rules_` of each pattern
  };

  static std::size_t index(builtin_noise rule) { return static_cast<std::size_t>(rule); }
  bool meets_rule(const event& e);
  void remember_server(std::size_t hash);
  bool is_hot_reload_of_known_server(const event& e) const;
  bool count_matches(const field_set& set, const std::string& text, const event& e);
  void match(const field_set& set, const std::string& text);
  void rebuild();
  result_or<std::string> checked_pattern(const std::string& pattern) const;
  std::string known_ids() const;

  std::size_t most_rules_;
  std::size_t most_pattern_bytes_;
  std::size_t most_label_bytes_;
  std::size_t most_servers_;
  std::vector<noise_rule> rules_;
  std::array<field_set, 3> sets_;
  std::array<std::uint64_t, builtin_noise_count> builtin_hits_{};
  std::deque<std::size_t> hot_servers_; ///< whose hot-reload clients were heard of
  redacted_text hot_page_;              ///< where the last of them was heard of
  std::vector<int> matched_;            // kept to spare an allocation per event
  std::uint64_t next_id_ = 1;
};

} // namespace gasoline
