#include "actors/redaction/redaction_engine.hpp"

#include "actors/redaction/json/json_pass.hpp"
#include "actors/redaction/rules/compiled_rules.hpp"
#include "actors/redaction/text/format_string.hpp"
#include "actors/redaction/text/text_hygiene.hpp"
#include "actors/redaction/text/text_pass.hpp"
#include "messages/base/json_text.hpp"

#include <optional>
#include <utility>

namespace gasoline {
namespace {

using redaction::compiled_rules;

std::string clean_text(const compiled_rules& rules, std::string&& raw) {
  if (!rules.suspicious(raw))
    return std::move(raw);
  std::string out;
  redaction::text_pass{rules, raw, out, rules.json_levels()}.run();
  make_presentable(out);
  return out;
}

std::size_t skip_space(std::string_view text, std::size_t pos) {
  const auto end = text.find_first_not_of(" \t\n\r", pos);
  return end == std::string_view::npos ? text.size() : end;
}

using announced_list = std::vector<redaction::key_class>;

/// The redacted document, or nothing when `json` is no complete JSON value.
std::optional<std::string> clean_json(const compiled_rules& rules, std::string_view json,
                                      announced_list announced = {}) {
  std::string out;
  redaction::json_pass pass{rules, json, out, rules.json_levels(),
                            redaction::string_care::presentable};
  pass.announce(std::move(announced));
  const auto extent = pass.run(skip_space(json, 0), redaction::key_class::plain);
  if (!extent.complete || skip_space(json, extent.end) != json.size())
    return std::nullopt;
  return out;
}

std::string clean_members(const compiled_rules& rules, std::string_view inside,
                          announced_list announced = {}) {
  std::string object;
  object.reserve(inside.size() + 2);
  object.append("{").append(inside).append("}");
  if (auto clean = clean_json(rules, object, std::move(announced)))
    return clean->substr(1, clean->size() - 2);
  std::string out = "\"text\":";
  append_json_string(out, clean_text(rules, std::string{inside}));
  return out;
}

} // namespace

redaction_engine::redaction_engine(const std::vector<redaction_rule>& user_rules,
                                   const limits& limit)
    : rules_(std::make_unique<compiled_rules>(user_rules, limit)) {}

redaction_engine::redaction_engine(redaction_engine&&) noexcept = default;
redaction_engine& redaction_engine::operator=(redaction_engine&&) noexcept = default;
redaction_engine::~redaction_engine() = default;

redacted_text redaction_engine::text(std::string_view raw) const {
  return moved(std::string{raw});
}

redacted_text redaction_engine::url(std::string_view raw) const {
  return moved(std::string{raw});
}

redacted_text redaction_engine::json_members(std::string_view inside) const {
  return redacted_text{clean_members(*rules_, inside)};
}

redacted_text redaction_engine::json_value(std::string_view json) const {
  if (auto clean = clean_json(*rules_, json))
    return redacted_text{std::move(*clean)};
  std::string out;
  append_json_string(out, clean_text(*rules_, std::string{json}));
  return redacted_text{std::move(out)};
}

std::shared_ptr<event> redaction_engine::redact(raw_event&& raw) const {
  auto out = std::make_shared<event>();
  out->source = raw.source;
  out->level = raw.level;
  out->type = raw.type;
  out->noise = raw.noise;
  out->build = raw.build;
  out->echo = raw.echo;
  out->at_given = raw.at_given;
  out->status = raw.status;
  out->count = raw.count;
  out->sequence = raw.sequence;
  out->duration_ms = raw.duration_ms;
  out->at = raw.at;
  auto announced = announced_list{};
  if (raw.fields.find(":[") != std::string::npos)
    announced = redaction::announced_arguments(raw.message);
  out->name = moved(std::move(raw.name));
  out->message = moved(std::move(raw.message));
  out->url = moved(std::move(raw.url));
  out->page = moved(std::move(raw.page));
  out->stack = moved(std::move(raw.stack));
  out->fields = moved_members(std::move(raw.fields), std::move(announced));
  out->metrics = std::move(raw.metrics);
  if (raw.ci)
    out->ci = ci(*raw.ci);
  return out;
}

redacted_text redaction_engine::moved(std::string&& raw) const {
  return redacted_text{clean_text(*rules_, std::move(raw))};
}

redacted_text redaction_engine::moved_members(std::string&& inside,
                                              std::vector<redaction::key_class> announced) const {
  if (announced.empty() && !rules_->suspicious(inside))
    return redacted_text{std::move(inside)};
  return redacted_text{clean_members(*rules_, inside, std::move(announced))};
}

std::shared_ptr<const ci_result> redaction_engine::ci(const raw_ci_result& raw) const {
  auto out = std::make_shared<ci_result>();
  out->status = raw.status;
  out->attempt = raw.attempt;
  out->word = text(raw.word);
  out->job = text(raw.job);
  out->source = text(raw.source);
  out->ref = text(raw.ref);
  out->commit = text(raw.commit);
  out->summary = text(raw.summary);
  out->url = url(raw.url);
  for (const auto& failure : raw.failures)
    out->failures.push_back({text(failure.name), text(failure.message)});
  out->failure_count = raw.failure_count;
  out->duration_ms = raw.duration_ms;
  return out;
}

} // namespace gasoline
