#include "actors/redaction/redaction_engine.hpp"

#include "actors/redaction/json/json_pass.hpp"
#include "actors/redaction/rules/compiled_rules.hpp"
#include "actors/redaction/rules/format_string.hpp"
#include "actors/redaction/text/text_pass.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

using redaction::compiled_rules;
using redaction::mask_log;
using redaction::pass_context;

void clean_into(const pass_context& context, std::string_view in, std::string& out,
                std::size_t levels) {
  // Other rules know where a value ends only as it is usually written.
  if (const auto masked = context.rules.without_known(in, context.log))
    redaction::text_pass{context, *masked, out, levels}.run();
  else
    redaction::text_pass{context, in, out, levels}.run();
}

pass_context context_of(const compiled_rules& rules, mask_log& log) {
  return {rules, log, clean_into};
}

/// What may be shown of a text that the filter has not cleared.
std::string clean_suspicious(const pass_context& context, std::string_view raw) {
  std::string out;
  clean_into(context, raw, out, context.rules.json_levels());
  context.log.note_escapes(make_presentable(out));
  return out;
}

std::string clean_text(const pass_context& context, std::string&& raw) {
  return context.rules.suspicious(raw) ? clean_suspicious(context, raw) : std::move(raw);
}

std::size_t skip_space(std::string_view text, std::size_t pos) {
  const auto end = text.find_first_not_of(" \t\n\r", pos);
  return end == std::string_view::npos ? text.size() : end;
}

using announced_list = std::vector<redaction::key_class>;

/// The redacted document, or nothing when `json` is no complete JSON value.
std::optional<std::string> clean_json(const pass_context& context, std::string_view json,
                                      announced_list announced = {}) {
  std::string out;
  out.reserve(json.size()); // what is kept for long is as large as it is counted
  redaction::json_pass pass{context, json, out, context.rules.json_levels(),
                            redaction::string_care::presentable};
  pass.announce(std::move(announced));
  const auto extent = pass.run(skip_space(json, 0), redaction::key_class::plain);
  if (!extent.complete || skip_space(json, extent.end) != json.size())
    return std::nullopt;
  return out;
}

std::string clean_members(const pass_context& context, std::string_view inside,
                          announced_list announced = {}) {
  std::string object;
  object.reserve(inside.size() + 2);
  object.append("{").append(inside).append("}");
  if (auto clean = clean_json(context, object, std::move(announced)))
    return clean->substr(1, clean->size() - 2);
  std::string out = "\"text\":";
  append_json_string(out, clean_text(context, std::string{inside}));
  return out;
}

/// The digits that the engine writes ids with.
constexpr auto is_id_digit = [] {
  std::array<std::uint8_t, 256> out{};
  for (const unsigned char c : std::string_view{"0123456789abcdef"})
    out[c] = 1;
  return out;
}();

/// How much of `text` from `begin` on is `lead`, so many hexadecimal digits, and a quote; 0: it
/// does not begin so.
std::size_t quoted_digits(std::string_view text, std::size_t begin, std::string_view lead,
                          std::size_t digits) {
  const auto rest = text.substr(std::min(begin, text.size()));
  const auto whole = lead.size() + digits + 1;
  if (rest.size() < whole || !rest.starts_with(lead) || rest[whole - 1] != '"')
    return 0;
  unsigned all = 1;
  for (const auto c : rest.substr(lead.size(), digits))
    all &= is_id_digit[static_cast<unsigned char>(c)];
  return all == 1 ? whole : 0;
}

/// How many bytes the ids of a trace take that these members of an object begin with, the comma
/// behind them included.
std::size_t leading_ids(std::string_view members) {
  auto end = quoted_digits(members, 0, R"("trace_id":")", 32);
  if (end > 0)
    end += quoted_digits(members, end, R"(,"span_id":")", 16);
  if (end == members.size())
    return end;
  return end > 0 && members[end] == ',' ? end + 1 : 0;
}

} // namespace

redaction_engine::redaction_engine(const std::vector<redaction_rule>& user_rules,
                                   const limits_of<ingest_room, redaction_room>& limit,
                                   const std::vector<std::string>& known)
    : rules_(std::make_unique<compiled_rules>(user_rules, limit, known)) {}

redaction_engine::redaction_engine(redaction_engine&&) noexcept = default;
redaction_engine& redaction_engine::operator=(redaction_engine&&) noexcept = default;
redaction_engine::~redaction_engine() = default;

redacted_text redaction_engine::text(std::string_view raw) const {
  mask_log log;
  return text(raw, log);
}

redacted_text redaction_engine::text(std::string_view raw, mask_log& log) const {
  return moved(std::string{raw}, log);
}

redacted_text redaction_engine::url(std::string_view raw) const {
  return text(raw);
}

redacted_text redaction_engine::json_members(std::string_view inside) const {
  mask_log log;
  return redacted_text{clean_members(context_of(*rules_, log), inside)};
}

redacted_text redaction_engine::json_value(std::string_view json) const {
  mask_log log;
  if (auto clean = clean_json(context_of(*rules_, log), json))
    return redacted_text{std::move(*clean)};
  std::string out;
  append_json_string(out, clean_text(context_of(*rules_, log), std::string{json}));
  return redacted_text{std::move(out)};
}

std::shared_ptr<event> redaction_engine::redact(raw_event&& raw) const {
  mask_log log;
  return redact(std::move(raw), log);
}

std::shared_ptr<event> redaction_engine::redact(raw_event&& raw, mask_log& log) const {
  cleared_texts none;
  return redact(std::move(raw), log, none);
}

std::shared_ptr<event> redaction_engine::redact(raw_event&& raw, mask_log& log,
                                                cleared_texts& cleared) const {
  auto out = std::make_shared<event>();
  out->kind = raw.kind;
  out->origin = raw.origin;
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
  put(out->service, std::move(raw.service), log, cleared.service);
  put(out->name, std::move(raw.name), log, cleared.name);
  put(out->message, std::move(raw.message), log, cleared.message);
  put(out->url, std::move(raw.url), log, cleared.url);
  put(out->page, std::move(raw.page), log, cleared.page);
  put(out->stack, std::move(raw.stack), log, cleared.stack);
  const auto safe = announced.empty() ? safe_ids(raw) : 0;
  put_members(out->fields, std::move(raw.fields), safe, std::move(announced), log, cleared.fields);
  out->metrics = std::move(raw.metrics);
  if (raw.ci)
    out->ci = ci(*raw.ci, log);
  return out;
}

redacted_text redaction_engine::moved(std::string&& raw, mask_log& log) const {
  if (raw.empty()) // as most texts of most events are
    return {};
  return redacted_text{clean_text(context_of(*rules_, log), std::move(raw))};
}

/// Moves what may be shown of `raw` into `into`.
void redaction_engine::put(redacted_text& into, std::string&& raw, mask_log& log,
                           std::string_view& cleared) const {
  if (raw.empty()) // as most texts of most events are
    return;
  if (raw != cleared && rules_->suspicious(raw)) {
    into = redacted_text{clean_suspicious(context_of(*rules_, log), raw)};
    return;
  }
  into = redacted_text{std::move(raw)};
  cleared = into.view();
}

/// How much at the beginning of the fields need not be looked at: ids that the engine wrote from
/// the bytes of a tracer. All others of an entry are often those of the entry before.
std::size_t redaction_engine::safe_ids(const raw_event& raw) const {
  if (raw.origin != event_origin::otlp)
    return 0;
  const auto ids = leading_ids(raw.fields);
  return ids > 0 && rules_->minds_any(std::string_view{raw.fields}.substr(0, ids)) ? 0 : ids;
}

/// The same for the inside of an object, of which `safe` bytes at the beginning may be shown.
void redaction_engine::put_members(redacted_text& into, std::string&& inside, std::size_t safe,
                                   std::vector<redaction::key_class> announced, mask_log& log,
                                   std::string_view& cleared) const {
  const auto rest = std::string_view{inside}.substr(safe);
  if (!announced.empty() || (rest != cleared && rules_->suspicious(rest))) {
    auto clean = clean_members(context_of(*rules_, log), rest, std::move(announced));
    into = redacted_text{inside.substr(0, safe) + std::move(clean)};
    return;
  }
  into = redacted_text{std::move(inside)};
  cleared = into.view().substr(safe);
}

std::shared_ptr<const ci_result> redaction_engine::ci(const raw_ci_result& raw,
                                                      mask_log& log) const {
  auto out = std::make_shared<ci_result>();
  out->status = raw.status;
  out->attempt = raw.attempt;
  out->is_part = raw.is_part;
  out->word = text(raw.word, log);
  out->job = text(raw.job, log);
  out->source = text(raw.source, log);
  out->ref = text(raw.ref, log);
  out->commit = text(raw.commit, log);
  out->summary = text(raw.summary, log);
  out->url = text(raw.url, log);
  for (const auto& failure : raw.failures)
    out->failures.push_back({text(failure.name, log), text(failure.message, log)});
  out->failure_count = raw.failure_count;
  out->duration_ms = raw.duration_ms;
  return out;
}

} // namespace gasoline
