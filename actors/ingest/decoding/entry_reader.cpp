#include "actors/ingest/decoding/entry_reader.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/decoding/console_message.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

struct metric_key {
  std::string_view key;
  page_metric metric;
};

constexpr metric_key metric_keys[] = {
    {"largest_contentful_paint", page_metric::lcp},
    {"lcp", page_metric::lcp},
    {"first_contentful_paint", page_metric::fcp},
    {"fcp", page_metric::fcp},
    {"interaction_to_next_paint", page_metric::inp},
    {"inp", page_metric::inp},
    {"time_to_first_byte", page_metric::ttfb},
    {"ttfb", page_metric::ttfb},
    {"load", page_metric::load},
    {"cumulative_layout_shift", page_metric::cls},
    {"cls", page_metric::cls},
};

// What every entry may tell of who sends it.
constexpr key_slot sender_keys[] = {{"origin", slot::origin}, {"service", slot::service}};

constexpr std::size_t longest_key = 128;
constexpr double most_occurrences = 1'000'000;

} // namespace

std::string lower_case(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return out;
}

entry_reader::entry_reader(const entry_shape& shape, const decode_context& context)
    : shape_(shape),
      limit_(context.limit.entry),
      cutter_(context.cutter),
      fields_(draft_.event.fields, context.limit.entry, context.cutter) {
  draft_.event.kind = shape.kind;
  draft_.event.at = context.now;
}

result_or<raw_event> entry_reader::read(const dom::element& entry) {
  dom::object object;
  if (entry.get_object().get(object) != simdjson::SUCCESS)
    return tl::unexpected(user_error{"an entry must be an object"});
  for (const auto field : object)
    if (!take(field.key, field.value))
      return tl::unexpected(user_error{std::move(problem_)});
  return finish();
}

void entry_reader::set_metric(std::string_view key, const dom::element& value) {
  const auto number = number_of(value);
  if (!number || !std::isfinite(*number) || *number < 0)
    return;
  for (const auto& row : metric_keys)
    if (row.key == key)
      draft_.metrics[row.metric] = *number;
}

bool entry_reader::take(std::string_view key, const dom::element& value) {
  for (const auto& row : shape_.keys)
    if (row.key == key)
      return fill(row.target, key, value);
  for (const auto& row : sender_keys)
    if (row.key == key)
      return fill(row.target, key, value);
  fields_.keep(key, value);
  return true;
}

bool entry_reader::fill(slot target, std::string_view key, const dom::element& value) {
  switch (target) {
  case slot::time:
    return take_time(key, value);
  case slot::level:
    return take_level(value);
  case slot::type:
    return take_type(value);
  case slot::name:
    draft_.event.name = address_in(value);
    return true;
  case slot::message:
    draft_.event.message = text_in(value, limit_.message_bytes);
    return true;
  case slot::format:
    format_ = text_of(value);
    fields_.keep(key, value);
    return true;
  case slot::arguments:
    arguments_ = value;
    return true;
  case slot::fallback_message:
    draft_.fallback = cutter_.cut(console_message({}, value), limit_.message_bytes);
    fields_.keep(key, value);
    return true;
  case slot::url:
    draft_.event.url = address_in(value);
    return true;
  case slot::page:
    draft_.event.page = address_in(value);
    return true;
  case slot::stack:
    draft_.event.stack =
        cutter_.first_frames(text_of(value), limit_.stack_frames, limit_.field_bytes);
    return true;
  case slot::status:
    return take_status(value);
  case slot::duration:
    take_duration(value);
    return true;
  case slot::count:
    take_count(value);
    return true;
  case slot::metric:
    take_metric(key, value);
    return true;
  case slot::metrics_object:
    take_metrics(key, value);
    return true;
  case slot::navigation:
    take_navigation(lower_case(text_of(value)));
    fields_.keep(key, value);
    return true;
  case slot::hot_updates:
    if (const auto number = number_of(value); number && *number >= 1)
      draft_.metrics.hot_updates = static_cast<std::uint32_t>(std::min(*number, 1e6));
    fields_.keep(key, value);
    return true;
  case slot::build:
    if (const auto state = parse_name<build_state>(text_of(value)))
      draft_.event.build = *state;
    fields_.keep(key, value);
    return true;
  case slot::echo:
    draft_.event.echo = value.is_bool() && bool{value};
    fields_.keep(key, value);
    return true;
  case slot::visit:
    draft_.event.name = address_in(value);
    return true;
  case slot::origin:
    if (const auto origin = parse_name<event_origin>(text_of(value)))
      draft_.event.origin = *origin;
    else
      fields_.keep(key, value);
    return true;
  case slot::service:
    draft_.event.service = text_in(value, longest_key);
    return true;
  }
  return true;
}

bool entry_reader::take_time(std::string_view key, const dom::element& value) {
  if (const auto at = time_of(value)) {
    draft_.event.at = *at;
    draft_.event.at_given = true;
    return true;
  }
  fields_.keep(key, value);
  return true;
}

bool entry_reader::take_level(const dom::element& value) {
  const auto level = parse_name<log_level>(lower_case(text_of(value)));
  if (!level) {
    problem_ = "level must be one of error, warn, info, log, debug";
    return false;
  }
  draft_.event.level = *level;
  draft_.level_given = true;
  return true;
}

bool entry_reader::take_type(const dom::element& value) {
  const auto text = text_of(value);
  const auto type = parse_name<entry_type>(text);
  if (!type) {
    fields_.text("type", text);
    return true;
  }
  draft_.event.type = *type;
  draft_.type_given = true;
  if (text != name_of(*type))
    fields_.text("kind", text);
  return true;
}

bool entry_reader::take_status(const dom::element& value) {
  const auto number = number_of(value);
  if (number && *number >= 0 && *number <= 65535) {
    draft_.event.status = static_cast<std::int32_t>(*number);
    return true;
  }
  if (value.is_null())
    return true;
  problem_ = "status must be a number from 0 to 65535";
  return false;
}

void entry_reader::take_duration(const dom::element& value) {
  if (const auto number = number_of(value); number && std::isfinite(*number) && *number >= 0)
    draft_.event.duration_ms = *number;
}

void entry_reader::take_count(const dom::element& value) {
  if (const auto number = number_of(value); number && *number >= 1)
    draft_.event.count = static_cast<std::uint32_t>(std::min(*number, most_occurrences));
}

void entry_reader::take_navigation(const std::string& name) {
  draft_.restored = name == "back-forward-cache";
  if (const auto kind = parse_name<navigation_kind>(name))
    draft_.metrics.kind = *kind;
}

void entry_reader::take_metric(std::string_view key, const dom::element& value) {
  fields_.keep(key, value);
  set_metric(key, value);
}

void entry_reader::take_metrics(std::string_view key, const dom::element& value) {
  fields_.keep(key, value);
  dom::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS)
    return;
  for (const auto field : object)
    set_metric(lower_case(field.key), field.value);
}

// A format string comes before what goes into it, whatever their order was: the redactor reads them
// so.
void entry_reader::take_arguments(const dom::element& values) {
  fields_.keep("args", values);
  if (draft_.fallback.empty())
    draft_.fallback = cutter_.cut(console_message(format_, values), limit_.message_bytes);
}

std::string entry_reader::text_in(const dom::element& value, std::uint64_t bytes) const {
  if (std::string_view text; value.get_string().get(text) == simdjson::SUCCESS)
    return cutter_.cut(text, bytes);
  return cutter_.cut(text_of(value), bytes);
}

std::string entry_reader::address_in(const dom::element& value) const {
  return text_in(value, limit_.url_bytes);
}

result_or<raw_event> entry_reader::finish() {
  if (arguments_)
    take_arguments(*arguments_);
  fields_.finish();
  if (auto problem = shape_.finish(draft_))
    return tl::unexpected(user_error{std::move(*problem)});
  return std::move(draft_.event);
}

} // namespace gasoline
