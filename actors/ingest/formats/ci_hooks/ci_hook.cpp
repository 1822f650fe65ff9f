#include "actors/ingest/formats/ci_hooks/ci_hook.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/formats/ci_hooks/ci_word.hpp"
#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/encoding/query_pairs.hpp"
#include "messages/base/json/json_text.hpp"

#include <cmath>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

/// The member `payload` of a form, which is how GitHub's page offers to send JSON.
std::optional<std::string> payload_of_form(std::string_view form) {
  while (const auto pair = take_query_pair(form))
    if (pair->name == "payload")
      return percent_decoded_leniently(with_blanks(pair->value));
  return std::nullopt;
}

decoded_body without_result(std::string reason) {
  decoded_body out;
  out.received = 1;
  out.counted_only = 1;
  out.remark = std::move(reason);
  return out;
}

decoded_body turned_down(std::string why) {
  constexpr std::uint16_t unauthorized = 401;
  decoded_body out;
  out.refused = unauthorized;
  out.remark = std::move(why);
  return out;
}

/// Why the delivery is not believed; nothing: it is, or no secret is set.
std::optional<std::string> distrusted(const ci_hook& hook, std::string_view body,
                                      const decode_context& context) {
  const auto secret = context.secrets.find(hook.system);
  if (secret == context.secrets.end())
    return std::nullopt;
  if (secret->second.empty())
    return "The file that ci_secret_files names for this system could not be read when the engine "
           "started; its log says why.";
  return hook.distrust(body, secret->second, context.head, context.now);
}

/// What a form-encoded body holds takes the body's place.
std::optional<user_error> unwrap(std::string& body, const ingest_head& head) {
  if (head.content_type != "application/x-www-form-urlencoded")
    return std::nullopt;
  auto payload = payload_of_form(body);
  if (!payload)
    return user_error{"The form has no member payload; let the webhook send application/json."};
  body = std::move(*payload);
  return std::nullopt;
}

} // namespace

std::optional<dom::element> ci_hook_reader::at(std::string_view pointer) const {
  dom::element value;
  if (root_.at_pointer(pointer).get(value) != simdjson::SUCCESS || value.is_null())
    return std::nullopt;
  return value;
}

std::string ci_hook_reader::text(std::string_view pointer) const {
  const auto value = at(pointer);
  if (!value || value->is_object() || value->is_array())
    return {};
  return context_.cutter.cut(text_of(*value), context_.limit.entry.message_bytes);
}

std::string ci_hook_reader::first_text(std::initializer_list<std::string_view> pointers) const {
  for (const auto pointer : pointers)
    if (auto found = text(pointer); !found.empty())
      return found;
  return {};
}

std::optional<double> ci_hook_reader::number(std::string_view pointer) const {
  const auto value = at(pointer);
  const auto out = value ? number_of(*value) : std::nullopt;
  return out && std::isfinite(*out) ? out : std::nullopt;
}

bool ci_hook_reader::flag(std::string_view pointer) const {
  const auto value = at(pointer);
  return value && value->is_bool() && bool{value->get_bool()};
}

double ci_hook_reader::duration(std::string_view begin, std::string_view end) const {
  const auto from = from_iso8601(text(begin));
  const auto to = from_iso8601(text(end));
  if (!from || !to || *to < *from)
    return -1;
  return static_cast<double>((*to - *from).count());
}

std::vector<ci_hook_reader> ci_hook_reader::list(std::string_view pointer) const {
  std::vector<ci_hook_reader> out;
  dom::array elements;
  const auto value = at(pointer);
  if (!value || value->get_array().get(elements) != simdjson::SUCCESS)
    return out;
  for (const auto element : elements)
    out.emplace_back(context_, element);
  return out;
}

raw_ci_result ci_hook_reader::result(std::string_view source, const std::string& word) const {
  raw_ci_result out;
  out.status = ci_status_of(word).value_or(ci_status::running);
  out.source = source;
  if (out.status == ci_status::unknown || (!word.empty() && word != name_of(out.status)))
    out.word = word;
  return out;
}

void ci_hook_reader::add_failure(raw_ci_result& out, std::string name, std::string message) const {
  if (out.failure_count++ < context_.limit.detection.ci_failures_shown)
    out.failures.push_back({std::move(name), std::move(message)});
}

void ci_hook_reader::add_failed_job(raw_ci_result& out, std::string name,
                                    std::string message) const {
  out.is_part = true;
  add_failure(out, std::move(name), std::move(message));
}

ci_hook_news left_out(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

bool is_worth_telling(ci_status status) {
  return status != ci_status::running && status != ci_status::skipped &&
         status != ci_status::cancelled;
}

result_or<decoded_body> decode_ci_hook(const ci_hook& hook, std::string& body,
                                       const decode_context& context) {
  if (auto why = distrusted(hook, body, context))
    return turned_down(std::move(*why));
  if (auto problem = unwrap(body, context.head))
    return tl::unexpected(std::move(*problem));
  const auto root = context.json.parse(body);
  if (!root)
    return tl::unexpected(root.error());
  if (!root->is_object())
    return tl::unexpected(user_error{"The body must be the JSON object of a webhook."});
  if (auto id = hook.delivery(context.head);
      !id.empty() && !context.seen.add(std::string{hook.system} + ' ' + id))
    return without_result("this delivery came before");
  auto news = hook.read(ci_hook_reader{context, *root});
  if (!news.result)
    return without_result(std::move(news.left_out));
  decoded_body out;
  out.received = 1;
  auto& e = out.events.emplace_back();
  e.kind = telemetry_kind::ci;
  e.origin = event_origin::ci;
  e.at = context.now;
  e.ci = std::make_shared<const raw_ci_result>(std::move(*news.result));
  return out;
}

ingest_answer answer_ci_hook(const decoded_body& body, const ingest_head&) {
  ingest_answer out;
  json_object_writer w{out.body};
  w.boolean("ok", true);
  if (!body.remark.empty())
    w.text("ignored", body.remark);
  w.close();
  return out;
}

} // namespace gasoline
