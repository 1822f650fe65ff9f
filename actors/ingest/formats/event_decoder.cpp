#include "actors/ingest/formats/event_decoder.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/formats/ci_decoder.hpp"
#include "actors/ingest/formats/console_message.hpp"
#include "actors/ingest/formats/text_cutter.hpp"
#include "messages/base/json_repair.hpp"
#include "messages/base/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

/// What a known key of an entry fills. Keys that are not in a table go to `fields`.
enum class slot : std::uint8_t {
  time,
  level,
  type,
  name,
  message,
  format,           ///< of the message that `args` makes
  arguments,        ///< make the message when there is none, and stay in `fields`
  fallback_message, ///< becomes the message when there is none, and stays in `fields`
  url,
  page,
  stack,
  status,
  duration,
  count,
  metric,
  metrics_object,
  navigation,
  hot_updates,
  build,
  echo,
  visit
};

struct key_slot {
  std::string_view key;
  slot target;
};

constexpr key_slot log_keys[] = {
    {"ts", slot::time},
    {"timestamp", slot::time},
    {"level", slot::level},
    {"type", slot::type},
    {"message", slot::message},
    {"url", slot::url},
    {"stack", slot::stack},
    {"status", slot::status},
    {"duration", slot::duration},
    {"duration_ms", slot::duration},
    {"method", slot::name},
    {"_aggregatedCount", slot::count},
    {"error", slot::fallback_message},
    {"format", slot::format},
    {"args", slot::arguments},
    {"page", slot::page},
    {"build", slot::build},
    {"echo", slot::echo},
};
constexpr key_slot body_keys[] = {
    {"ts", slot::time},       {"timestamp", slot::time},         {"url", slot::url},
    {"method", slot::name},   {"status", slot::status},          {"duration", slot::duration},
    {"error", slot::message}, {"duration_ms", slot::duration},   {"page", slot::page},
    {"page_url", slot::page}, {"_aggregatedCount", slot::count},
};
constexpr key_slot waterfall_keys[] = {
    {"ts", slot::time},       {"timestamp", slot::time},    {"url", slot::url},
    {"status", slot::status}, {"duration", slot::duration}, {"page_url", slot::page},
    {"method", slot::name},
};
constexpr key_slot websocket_keys[] = {
    {"ts", slot::time},      {"timestamp", slot::time}, {"event", slot::name}, {"url", slot::url},
    {"data", slot::message}, {"code", slot::status},    {"page", slot::page},
};
constexpr key_slot action_keys[] = {
    {"ts", slot::time}, {"timestamp", slot::time},       {"type", slot::name},
    {"url", slot::url}, {"duration_ms", slot::duration},
};
constexpr key_slot performance_keys[] = {
    {"ts", slot::time},
    {"timestamp", slot::time},
    {"url", slot::url},
    {"id", slot::visit},
    {"timing", slot::metrics_object},
    {"metrics", slot::metrics_object},
    {"vitals", slot::metrics_object},
    {"navigation_type", slot::navigation},
    {"navigationType", slot::navigation},
    {"hot_updates", slot::hot_updates},
    {"largest_contentful_paint", slot::metric},
    {"lcp", slot::metric},
    {"first_contentful_paint", slot::metric},
    {"fcp", slot::metric},
    {"interaction_to_next_paint", slot::metric},
    {"inp", slot::metric},
    {"time_to_first_byte", slot::metric},
    {"ttfb", slot::metric},
    {"load", slot::metric},
    {"cumulative_layout_shift", slot::metric},
    {"cls", slot::metric},
};

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

/// How the body of one route is laid out.
struct route_shape {
  event_source source;
  std::string_view list_key; ///< the array that holds the entries
  const key_slot* keys;
  std::size_t key_count;
};

template <std::size_t N>
constexpr route_shape shape(event_source source, std::string_view list_key,
                            const key_slot (&keys)[N]) {
  return {source, list_key, keys, N};
}

constexpr route_shape shapes[] = {
    shape(event_source::logs, "entries", log_keys),
    shape(event_source::network_bodies, "bodies", body_keys),
    shape(event_source::network_waterfall, "entries", waterfall_keys),
    shape(event_source::websocket_events, "events", websocket_keys),
    shape(event_source::actions, "actions", action_keys),
    shape(event_source::performance, "snapshots", performance_keys),
};

const route_shape* shape_of(event_source source) {
  for (const auto& s : shapes)
    if (s.source == source)
      return &s;
  return nullptr;
}

std::string lower_case(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return out;
}

/// Builds one event out of one JSON object.
class entry_reader {
 public:
  entry_reader(const route_shape& shape, const limits& limit, const text_cutter& cutter,
               wall_time now)
      : shape_(shape), limit_(limit), cutter_(cutter) {
    event_.source = shape.source;
    event_.at = now;
  }

  /// Takes one measurement; values that mean nothing are left out.
  void set_metric(std::string_view key, const dom::element& value) {
    const auto number = number_of(value);
    if (!number || !std::isfinite(*number) || *number < 0)
      return;
    for (const auto& row : metric_keys)
      if (row.key == key)
        metrics_[row.metric] = *number;
  }

  /// The event, or the sentence that says why the entry is refused.
  result_or<raw_event> read(const dom::element& entry) {
    dom::object object;
    if (entry.get_object().get(object) != simdjson::SUCCESS)
      return refuse("an entry must be an object");
    for (const auto field : object)
      if (!take(field.key, field.value))
        return refuse(std::move(problem_));
    return finish();
  }

 private:
  static tl::unexpected<user_error> refuse(std::string text) {
    return tl::unexpected(user_error{std::move(text)});
  }

  bool take(std::string_view key, const dom::element& value) {
    for (std::size_t i = 0; i < shape_.key_count; ++i)
      if (shape_.keys[i].key == key)
        return fill(shape_.keys[i].target, key, value);
    keep(key, value);
    return true;
  }

  bool fill(slot target, std::string_view key, const dom::element& value) {
    switch (target) {
    case slot::time:
      return take_time(key, value);
    case slot::level:
      return take_level(value);
    case slot::type:
      return take_type(value);
    case slot::name:
      event_.name = cutter_.cut(text_of(value), limit_.entry.url_bytes);
      return true;
    case slot::message:
      event_.message = cutter_.cut(text_of(value), limit_.entry.message_bytes);
      return true;
    case slot::format:
      format_ = text_of(value);
      keep(key, value);
      return true;
    case slot::arguments:
      arguments_ = value;
      return true;
    case slot::fallback_message:
      fallback_ = cutter_.cut(console_message({}, value), limit_.entry.message_bytes);
      keep(key, value);
      return true;
    case slot::url:
      event_.url = cutter_.cut(text_of(value), limit_.entry.url_bytes);
      return true;
    case slot::page:
      event_.page = cutter_.cut(text_of(value), limit_.entry.url_bytes);
      return true;
    case slot::stack:
      event_.stack =
          cutter_.first_frames(text_of(value), limit_.entry.stack_frames, limit_.entry.field_bytes);
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
      keep(key, value);
      return true;
    case slot::hot_updates:
      if (const auto number = number_of(value); number && *number >= 1)
        metrics_.hot_updates = static_cast<std::uint32_t>(std::min(*number, 1e6));
      keep(key, value);
      return true;
    case slot::build:
      if (const auto state = parse_name<build_state>(text_of(value)))
        event_.build = *state;
      keep(key, value);
      return true;
    case slot::echo:
      event_.echo = value.is_bool() && bool{value};
      keep(key, value);
      return true;
    case slot::visit:
      event_.name = cutter_.cut(text_of(value), limit_.entry.url_bytes);
      return true;
    }
    return true;
  }

  bool take_time(std::string_view key, const dom::element& value) {
    if (const auto at = time_of(value)) {
      event_.at = *at;
      event_.at_given = true;
      return true;
    }
    keep(key, value);
    return true;
  }

  bool take_level(const dom::element& value) {
    const auto level = parse_name<log_level>(lower_case(text_of(value)));
    if (!level) {
      problem_ = "level must be one of error, warn, info, log, debug";
      return false;
    }
    event_.level = *level;
    level_given_ = true;
    return true;
  }

  bool take_type(const dom::element& value) {
    const auto text = text_of(value);
    const auto type = parse_name<entry_type>(text);
    if (!type) {
      std::string member;
      append_json_string(member, text);
      add_member("type", member);
      return true;
    }
    event_.type = *type;
    type_given_ = true;
    if (text != name_of(*type)) {
      std::string member;
      append_json_string(member, text);
      add_member("kind", member);
    }
    return true;
  }

  bool take_status(const dom::element& value) {
    const auto number = number_of(value);
    if (number && *number >= 0 && *number <= 65535) {
      event_.status = static_cast<std::int32_t>(*number);
      return true;
    }
    if (value.is_null())
      return true;
    problem_ = "status must be a number from 0 to 65535";
    return false;
  }

  void take_duration(const dom::element& value) {
    if (const auto number = number_of(value); number && std::isfinite(*number) && *number >= 0)
      event_.duration_ms = *number;
  }

  void take_count(const dom::element& value) {
    constexpr double most = 1'000'000;
    if (const auto number = number_of(value); number && *number >= 1)
      event_.count = static_cast<std::uint32_t>(std::min(*number, most));
  }

  void take_navigation(const std::string& name) {
    restored_ = name == "back-forward-cache";
    if (const auto kind = parse_name<navigation_kind>(name))
      metrics_.kind = *kind;
  }

  void take_metric(std::string_view key, const dom::element& value) {
    keep(key, value);
    set_metric(key, value);
  }

  void take_metrics(std::string_view key, const dom::element& value) {
    keep(key, value);
    dom::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS)
      return;
    for (const auto field : object)
      set_metric(lower_case(field.key), field.value);
  }

  void keep(std::string_view key, const dom::element& value) {
    std::string json;
    append_json(json, value);
    if (json.size() > limit_.entry.field_bytes) {
      std::string cut;
      append_json_string(cut, value.is_string()
                                  ? cutter_.cut(text_of(value), limit_.entry.field_bytes)
                                  : cutter_.cut_json(json, limit_.entry.field_bytes));
      json = std::move(cut);
    }
    add_member(key, json);
  }

  void add_member(std::string_view key, std::string_view json) {
    constexpr std::size_t longest_key = 128;
    if (event_.fields.size() + json.size() > 4 * limit_.entry.field_bytes) {
      ++dropped_fields_;
      return;
    }
    if (!event_.fields.empty())
      event_.fields += ',';
    append_json_string(event_.fields, cutter_.cut(key, longest_key));
    event_.fields += ':';
    event_.fields += json;
  }

  /// A format string comes before what goes into it, whatever their order was: the redactor reads
  /// them so.
  void take_arguments(const dom::element& values) {
    keep("args", values);
    if (fallback_.empty())
      fallback_ = cutter_.cut(console_message(format_, values), limit_.entry.message_bytes);
  }

  result_or<raw_event> finish() {
    if (arguments_)
      take_arguments(*arguments_);
    if (dropped_fields_ > 0)
      add_member("_dropped_fields", std::to_string(dropped_fields_));
    switch (shape_.source) {
    case event_source::logs:
      return finish_log();
    case event_source::performance:
      return finish_performance();
    case event_source::websocket_events:
      if (event_.name.empty())
        return refuse("a WebSocket event needs `event`: open, message, close or error");
      return std::move(event_);
    case event_source::actions:
      if (event_.name.empty())
        return refuse("an action needs a `type`, such as click");
      return std::move(event_);
    case event_source::network_bodies:
    case event_source::network_waterfall:
      if (event_.url.empty() && event_.fields.find("\"name\":") == std::string::npos)
        return refuse("a network entry needs a `url`");
      return std::move(event_);
    case event_source::ci:
      break;
    }
    return std::move(event_);
  }

  result_or<raw_event> finish_log() {
    if (!level_given_ && !type_given_ && event_.message.empty() && fallback_.empty())
      return refuse("a log entry needs at least one of level, type, message");
    if (event_.message.empty())
      event_.message = std::move(fallback_);
    if (!level_given_)
      event_.level = default_level();
    return std::move(event_);
  }

  log_level default_level() const {
    switch (event_.type) {
    case entry_type::exception:
      return log_level::error;
    case entry_type::security:
      return log_level::warn;
    case entry_type::network:
      return event_.status == 0 || event_.status >= 500 ? log_level::error
             : event_.status >= 400                     ? log_level::warn
                                                        : log_level::info;
    default:
      return log_level::log;
    }
  }

  // 0 is what browsers report for what they have not measured.
  void drop_missing_values() {
    for (std::size_t i = 0; i < page_metric_count; ++i) {
      const auto metric = static_cast<page_metric>(i);
      const bool instant = metrics_.kind == navigation_kind::soft &&
                           (metric == page_metric::inp || metric == page_metric::ttfb);
      if (metrics_[metric] == 0.0 && metric != page_metric::cls && !instant)
        metrics_[metric].reset();
    }
  }

  result_or<raw_event> finish_performance() {
    if (event_.url.empty() && event_.fields.empty())
      return refuse("a performance snapshot needs a `url` and `timing`");
    drop_missing_values();
    if (!restored_ && metrics_.any())
      event_.metrics = std::make_shared<const page_metrics>(metrics_);
    return std::move(event_);
  }

  const route_shape& shape_;
  const limits& limit_;
  const text_cutter& cutter_;
  raw_event event_;
  page_metrics metrics_;
  std::string fallback_;
  std::string format_;
  std::optional<dom::element> arguments_;
  std::string problem_;
  std::uint64_t dropped_fields_ = 0;
  bool level_given_ = false;
  bool type_given_ = false;
  bool restored_ = false;
};

/// A web vital that arrived as a log entry: `{"type":"vital","name":"CLS","value":0.1,…}`.
std::optional<raw_event> vital_event(const dom::element& entry, const limits& limit,
                                     const text_cutter& cutter, wall_time now) {
  std::string_view type;
  if (entry["type"].get_string().get(type) != simdjson::SUCCESS || type != "vital")
    return std::nullopt;
  entry_reader reader{*shape_of(event_source::performance), limit, cutter, now};
  std::string_view name;
  dom::element value;
  if (entry["name"].get_string().get(name) == simdjson::SUCCESS &&
      entry["value"].get(value) == simdjson::SUCCESS)
    reader.set_metric(lower_case(name), value);
  auto read = reader.read(entry);
  return read ? std::optional<raw_event>{std::move(*read)} : std::nullopt;
}

std::string problem_sentence(simdjson::error_code code, const limits& limit) {
  if (code == simdjson::DEPTH_ERROR)
    return "The body nests deeper than " + std::to_string(limit.ingest.json_depth) +
           " levels; send flatter data.";
  if (code == simdjson::EMPTY)
    return "The body is empty; send JSON.";
  return std::string{"The body is not valid JSON: "} + simdjson::error_message(code) + ".";
}

} // namespace

struct event_decoder::implementation {
  implementation(const limits& l, std::shared_ptr<const redaction_engine> engine)
      : limit(l), cutter(std::move(engine)) {}

  /// Parses `text` in place; its buffer must outlive the element.
  simdjson::error_code parse(std::string& text, dom::element& root) {
    if (parser.max_depth() != limit.ingest.json_depth || parser.capacity() < text.size())
      if (const auto error = parser.allocate(std::max<std::size_t>(text.size(), 64U << 10U),
                                             limit.ingest.json_depth))
        return error;
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    return parser.parse(text.data(), text.size(), false).get(root);
  }

  result_or<dom::element> parse_or_repair(std::string& text) {
    dom::element root;
    auto error = parse(text, root);
    if (error && error != simdjson::DEPTH_ERROR && error != simdjson::EMPTY) {
      text = repaired_json(text);
      error = parse(text, root);
    }
    if (error)
      return tl::unexpected(user_error{problem_sentence(error, limit)});
    return root;
  }

  limits limit;
  text_cutter cutter;
  dom::parser parser;
};

event_decoder::event_decoder(const limits& limit, std::shared_ptr<const redaction_engine> engine)
    : impl_(std::make_unique<implementation>(limit, std::move(engine))) {}

event_decoder::~event_decoder() = default;

namespace {

/// The entries of a body: the route's list, a bare array, or one entry alone.
result_or<dom::array> entries_of(const dom::element& root, const route_shape& shape) {
  dom::array list;
  if (root.get_array().get(list) == simdjson::SUCCESS)
    return list;
  if (root[shape.list_key].get_array().get(list) == simdjson::SUCCESS)
    return list;
  return tl::unexpected(user_error{"The body must be {\"" + std::string{shape.list_key} +
                                   "\":[…]} or a bare array of entries."});
}

} // namespace

result_or<decoded_body> event_decoder::decode(event_source source, std::string body,
                                              wall_time now) {
  const auto root = impl_->parse_or_repair(body);
  if (!root)
    return tl::unexpected(root.error());
  decoded_body out;
  if (source == event_source::ci) {
    auto result = decode_ci_result(*root, impl_->limit, impl_->cutter);
    if (!result)
      return tl::unexpected(result.error());
    raw_event e;
    e.source = source;
    e.at = now;
    e.ci = std::make_shared<const raw_ci_result>(std::move(*result));
    out.received = 1;
    out.events.push_back(std::move(e));
    return out;
  }
  const auto& shape = *shape_of(source);
  const auto list = entries_of(*root, shape);
  if (!list)
    return tl::unexpected(list.error());
  std::string page;
  if (std::string_view text;
      root->is_object() && (*root)["page_url"].get_string().get(text) == simdjson::SUCCESS)
    page = impl_->cutter.cut(text, impl_->limit.entry.url_bytes);
  for (const auto entry : *list) {
    const auto index = out.received++;
    if (source == event_source::logs)
      if (auto vital = vital_event(entry, impl_->limit, impl_->cutter, now)) {
        out.events.push_back(std::move(*vital));
        continue;
      }
    auto read = entry_reader{shape, impl_->limit, impl_->cutter, now}.read(entry);
    if (!read) {
      ++out.rejected;
      if (out.errors.size() < impl_->limit.entry.errors_listed)
        out.errors.push_back({index, std::move(read.error().message)});
      continue;
    }
    if (read->page.empty())
      read->page = page;
    out.events.push_back(std::move(*read));
  }
  return out;
}

} // namespace gasoline
