#include "actors/noise/noise_filter.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using self_pointer = noise_filter_actor::stateful_pointer<noise_filter_state>;
using nlohmann::json;

void mark(noise_filter_state& state, event& e) {
  e.sequence = ++state.sequence;
  e.page_id = page_id_place(e);
  e.noise = state.rules.judge(e);
  if (e.kind == telemetry_kind::log && e.level == log_level::error)
    e.fault = error_key(e, state.limit.alert.key_bytes);
  if (e.noise == noise_mark::none)
    state.repeats.add(e);
  else if (e.noise == noise_mark::noise)
    ++state.marked;
  else
    ++state.hints;
}

void send_on(const noise_filter_state& state, const event_batch_ptr& batch, telemetry_kinds held) {
  const auto& targets = state.targets;
  caf::anon_send(targets.store, batch_atom_v, batch);
  for (const auto& [detector, kinds] : targets.detectors)
    if (kinds.meets(held))
      caf::anon_send(detector, batch_atom_v, batch);
  if (targets.recorder)
    caf::anon_send(targets.recorder, record_atom_v, batch);
}

void take_batch(noise_filter_state& state, redacted_batch& in) {
  auto out = std::make_shared<event_batch>();
  out->ticket = std::move(in.ticket);
  out->events.reserve(in.events.size());
  telemetry_kinds held;
  for (auto& e : in.events) {
    mark(state, *e);
    held.add(e->kind);
    out->events.push_back(std::move(e));
  }
  in.events.clear();
  send_on(state, std::move(out), held);
}

command_answer answered(const json& document) {
  return {dumped(document), false};
}

command_answer refused(const user_error& error) {
  return {error.message, true};
}

command_answer add_rule(noise_filter_state& state, const noise_command& command) {
  noise_rule rule;
  rule.field = command.field;
  rule.pattern = command.pattern;
  rule.reason = command.reason;
  rule.added_by = command.added_by;
  const auto added = state.rules.add(std::move(rule));
  if (!added)
    return refused(added.error());
  return answered({{"status", added->existed ? "exists" : "added"},
                   {"rule_id", added->id},
                   {"hides", "what matches from now on, uncaught errors and 5xx included"}});
}

command_answer remove_rule(noise_filter_state& state, const noise_command& command) {
  const auto removed = state.rules.remove(command.rule_id);
  if (!removed)
    return refused(removed.error());
  return answered({{"status", "removed"}, {"rule_id", *removed}});
}

command_answer list_rules(const noise_filter_state& state) {
  auto builtin = json::array();
  for (const auto& [rule, id] : enum_table<builtin_noise>::rows)
    builtin.push_back({{"rule_id", id},
                       {"reason", reason_of(rule)},
                       {"added_by", "builtin"},
                       {"hits", state.rules.hits(rule)}});
  auto rules = json::array();
  for (const auto& rule : state.rules.rules())
    rules.push_back({{"rule_id", rule.id},
                     {"field", name_of(rule.field)},
                     {"pattern", rule.pattern},
                     {"reason", rule.reason},
                     {"added_by", rule.added_by},
                     {"hits", rule.hits}});
  return answered({{"rules", std::move(rules)},
                   {"builtin", std::move(builtin)},
                   {"marked", state.marked},
                   {"hints", state.hints}});
}

alert new_rules_alert(const std::vector<rule_proposal>& adopted,
                      const limits_of<alert_room, noise_room>& limit) {
  alert a;
  a.category = alert_category::noise;
  a.kind = alert_topic::none;
  a.level = severity::info;
  a.page_data = true;
  a.source = literal{"noise_detector"};
  a.title = redacted(literal{"Noise auto-detect: "}, adopted.size(), literal{" new rule"});
  if (adopted.size() != 1)
    a.title += "s";
  for (const auto& p : adopted) {
    if (!a.detail.empty())
      a.detail += "\n";
    a.detail += redacted(p.count, literal{" x "}, p.sample.shortened(limit.alert.detail_bytes / 8));
  }
  a.detail = a.detail.shortened(limit.alert.detail_bytes);
  a.next = literal{R"(configure {"action":"noise_rule","noise_action":"list"})"};
  return a;
}

noise_rule learned_rule(const rule_proposal& proposal) {
  noise_rule rule;
  rule.field = proposal.field;
  rule.pattern = proposal.pattern;
  rule.reason = "seen " + std::to_string(proposal.count) + " times";
  rule.added_by = "auto_detect";
  rule.origin = rule_origin::learned;
  return rule;
}

command_answer detect_rules(noise_filter_state& state, mono_time now) {
  auto rules = json::array();
  std::vector<rule_proposal> adopted;
  std::uint64_t refused_count = 0;
  for (auto& proposal : state.repeats.take_proposals()) {
    const auto added = state.rules.add(learned_rule(proposal));
    if (!added)
      ++refused_count;
    if (!added || added->existed)
      continue;
    rules.push_back({{"rule_id", added->id},
                     {"field", name_of(proposal.field)},
                     {"pattern", proposal.pattern},
                     {"seen", proposal.count}});
    adopted.push_back(std::move(proposal));
  }
  json answer{{"status", "detected"}, {"added", adopted.size()}, {"rules", std::move(rules)}};
  if (refused_count > 0)
    answer["no_room_for"] = refused_count;
  if (adopted.empty())
    answer["note"] = "No message below level error and no health check was seen " +
                     std::to_string(state.limit.noise.repeat_threshold) +
                     " times or more since the last detection.";
  else
    raise_alerts(state.targets.hub, state.clock, {new_rules_alert(adopted, state.limit)}, now);
  return answered(answer);
}

command_answer obey(noise_filter_state& state, const noise_command& command, mono_time now) {
  switch (command.action) {
  case noise_action::add:
    return add_rule(state, command);
  case noise_action::remove:
    return remove_rule(state, command);
  case noise_action::list:
    return list_rules(state);
  case noise_action::reset:
    return answered({{"status", "reset"}, {"removed", state.rules.reset()}});
  case noise_action::auto_detect:
    return detect_rules(state, now);
  }
  return {"noise_action must be one of " + all_names<noise_action>() + ".", true};
}

health_part health(const noise_filter_state& state) {
  return std::make_shared<const json>(json{
      {"noise",
       {{"events", state.sequence},
        {"marked", state.marked},
        {"hints", state.hints},
        {"rules", state.rules.rules().size()},
        {"self_test", state.self_test_passed ? "passed" : "failed"}}},
  });
}

} // namespace

noise_filter_actor::behavior_type noise_filter(self_pointer self, noise_filter_targets targets,
                                               wall_clock clock,
                                               limits_of<alert_room, noise_room> limit) {
  auto& state = self->state;
  state.targets = std::move(targets);
  state.clock = std::move(clock);
  state.limit = limit;
  state.rules = noise_rules{limit};
  state.repeats = repeat_table{limit};
  state.self_test_passed = builtin_noise_works();
  guard_exceptions(self);
  return {
      [self](health_atom) { return health(self->state); },
      [self](batch_atom, const redacted_batch_ptr& batch) { take_batch(self->state, *batch); },
      [self](noise_atom, const noise_command& command) {
        return obey(self->state, command, self->clock().now());
      },
  };
}

} // namespace gasoline
