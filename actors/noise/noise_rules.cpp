#include "actors/noise/noise_rules.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace gasoline {
namespace {

tl::unexpected<user_error> refuse(std::string sentence) {
  return tl::unexpected(user_error{std::move(sentence)});
}

const redacted_text& text_of(const event& e, noise_field field) {
  switch (field) {
  case noise_field::message:
    return e.message;
  case noise_field::url:
    return e.url;
  case noise_field::stack:
    return e.stack;
  }
  return e.message;
}

// What no learned rule may hide.
bool is_protected(const event& e) {
  return is_uncaught(e) || (e.status >= 500 && is_failed_exchange(e)) ||
         (e.kind == telemetry_kind::log && e.level == log_level::error);
}

// The client of webpack and its like says its name on the console; its socket has a common path.
bool is_hot_reload_client(const event& e) {
  const auto text = e.message.view();
  return e.kind == telemetry_kind::log && e.type == entry_type::console && !text.empty() &&
         text.front() == '[' &&
         (text.starts_with("[webpack-dev-server]") || text.starts_with("[WDS]") ||
          text.starts_with("[HMR]") || text.starts_with("[rsbuild]"));
}

std::size_t server_hash(std::string_view url) {
  const auto pieces = take_apart(url);
  return std::hash<std::string_view>{}(pieces.host) * 31 +
         std::hash<std::string_view>{}(pieces.port);
}

// Cut before a broken UTF-8 sequence.
std::string cut(std::string text, std::size_t bytes) {
  text.resize(utf8_beginning(text, bytes).size());
  return text;
}

} // namespace

noise_rules::noise_rules(const limits_of<alert_room, noise_room>& limit)
    : most_rules_(limit.noise.rules),
      most_pattern_bytes_(limit.noise.pattern_bytes),
      most_label_bytes_(limit.alert.title_bytes),
      most_servers_(limit.noise.servers) {}

noise_mark noise_rules::judge(const event& e) {
  if (is_hot_reload_client(e) && page_address(e) != hot_page_) {
    hot_page_ = page_address(e);
    remember_server(server_hash(hot_page_.view()));
  }
  if (is_hot_reload_of_known_server(e)) {
    ++builtin_hits_[index(builtin_noise::hot_reload)];
    return noise_mark::noise;
  }
  if (may_alert(e))
    if (const auto rule = builtin_noise_in(e)) {
      ++builtin_hits_[index(*rule)];
      return *rule == builtin_noise::script_error ? noise_mark::hint : noise_mark::noise;
    }
  if (rules_.empty() || !meets_rule(e))
    return noise_mark::none;
  return noise_mark::noise;
}

void noise_rules::remember_server(std::size_t hash) {
  if (std::find(hot_servers_.begin(), hot_servers_.end(), hash) != hot_servers_.end())
    return;
  if (hot_servers_.size() >= most_servers_)
    hot_servers_.pop_front();
  hot_servers_.push_back(hash);
}

bool noise_rules::is_hot_reload_of_known_server(const event& e) const {
  if (e.kind != telemetry_kind::socket || hot_servers_.empty())
    return false;
  return take_apart(e.url.view()).path == "/ws" &&
         std::find(hot_servers_.begin(), hot_servers_.end(), server_hash(e.url.view())) !=
             hot_servers_.end();
}

bool noise_rules::meets_rule(const event& e) {
  bool met = false;
  for (const auto& [field, name] : enum_table<noise_field>::rows) {
    const auto& set = sets_[static_cast<std::size_t>(field)];
    const auto& text = text_of(e, field).str();
    if (set.set && !text.empty())
      met = count_matches(set, text, e) || met;
  }
  return met;
}

bool noise_rules::count_matches(const field_set& set, const std::string& text, const event& e) {
  match(set, text);
  bool met = false;
  for (const int i : matched_) {
    auto& rule = rules_[set.rules[static_cast<std::size_t>(i)]];
    if (rule.origin == rule_origin::learned && is_protected(e))
      continue;
    ++rule.hits;
    met = true;
  }
  return met;
}

// The set gives up when a text needs more states than its memory holds; then each rule by itself.
void noise_rules::match(const field_set& set, const std::string& text) {
  matched_.clear();
  re2::RE2::Set::ErrorInfo error{};
  if (set.set->Match(text, &matched_, &error) || error.kind == re2::RE2::Set::kNoError)
    return;
  matched_.clear();
  for (std::size_t i = 0; i < set.rules.size(); ++i)
    if (re2::RE2::PartialMatch(text, re2::RE2{rules_[set.rules[i]].pattern, re2::RE2::Quiet}))
      matched_.push_back(static_cast<int>(i));
}

result_or<added_rule> noise_rules::add(noise_rule rule) {
  for (const auto& known : rules_)
    if (known.field == rule.field && known.pattern == rule.pattern)
      return added_rule{known.id, true};
  if (auto ok = checked_pattern(rule.pattern); !ok)
    return tl::unexpected(ok.error());
  if (is_full())
    return refuse("There are already " + std::to_string(most_rules_) +
                  " noise rules (limits.noise_rules); remove one with noise_action remove, or all "
                  "with noise_action reset.");
  rule.id = "rule_" + std::to_string(next_id_++);
  rule.hits = 0;
  rule.reason = cut(std::move(rule.reason), most_label_bytes_);
  rule.added_by = cut(std::move(rule.added_by), most_label_bytes_);
  rules_.push_back(std::move(rule));
  rebuild();
  return added_rule{rules_.back().id, false};
}

result_or<std::string> noise_rules::checked_pattern(const std::string& pattern) const {
  if (pattern.empty())
    return refuse("pattern is missing; give an RE2 expression such as 'heartbeat .* ok'.");
  if (pattern.size() > most_pattern_bytes_)
    return refuse("pattern has " + std::to_string(pattern.size()) + " bytes; at most " +
                  std::to_string(most_pattern_bytes_) + " are allowed. Match a shorter part.");
  const re2::RE2 compiled{pattern, re2::RE2::Quiet};
  if (!compiled.ok())
    return refuse("pattern '" + pattern + "' does not compile: " + compiled.error() +
                  ". Use RE2 syntax, which has no lookahead and no backreferences.");
  if (re2::RE2::PartialMatch("", compiled))
    return refuse("pattern '" + pattern +
                  "' matches the empty text and would hide everything; make it more specific.");
  return pattern;
}

result_or<std::string> noise_rules::remove(const std::string& id) {
  const auto found = std::find_if(rules_.begin(), rules_.end(),
                                  [&](const noise_rule& rule) { return rule.id == id; });
  if (found != rules_.end()) {
    rules_.erase(found);
    rebuild();
    return id;
  }
  if (parse_name<builtin_noise>(id))
    return refuse("'" + id + "' is built in and cannot be removed; " + known_ids());
  return refuse("There is no noise rule '" + id + "'; " + known_ids());
}

std::string noise_rules::known_ids() const {
  if (rules_.empty())
    return "there are no rules to remove. Add one with noise_action add.";
  std::string out = "rules that can be removed: ";
  for (const auto& rule : rules_)
    out += (&rule == &rules_.front() ? "" : ", ") + rule.id;
  return out + ".";
}

std::size_t noise_rules::reset() {
  const auto removed = rules_.size();
  rules_.clear();
  rebuild();
  return removed;
}

void noise_rules::rebuild() {
  sets_ = {};
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    auto& field = sets_[static_cast<std::size_t>(rules_[i].field)];
    if (!field.set)
      field.set = std::make_unique<re2::RE2::Set>(re2::RE2::Quiet, re2::RE2::UNANCHORED);
    if (field.set->Add(rules_[i].pattern, nullptr) >= 0)
      field.rules.push_back(i);
  }
  for (auto& field : sets_)
    if (field.set)
      field.set->Compile();
}

} // namespace gasoline
