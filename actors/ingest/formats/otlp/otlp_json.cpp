#include "actors/ingest/formats/otlp/otlp_json.hpp"

#include "actors/base/dom_values.hpp"
#include "messages/base/json/json_text.hpp"

#include <simdjson.h>

#include <array>
#include <charconv>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

/// Whether a member has that name, which is written without underscores in lower case: generic
/// libraries write `time_unix_nano` for `timeUnixNano`.
bool is_named(std::string_view key, std::string_view plain) {
  std::size_t at = 0;
  for (const char c : key) {
    if (c == '_')
      continue;
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (at == plain.size() || lower != plain[at++])
      return false;
  }
  return at == plain.size();
}

template <class Visit>
void for_each_member(const dom::element& element, Visit visit) {
  dom::object object;
  if (element.get_object().get(object) != simdjson::SUCCESS)
    return;
  for (const auto field : object)
    visit(field.key, field.value);
}

template <class Visit>
void for_each_element(const dom::element& element, Visit visit) {
  dom::array list;
  if (element.get_array().get(list) != simdjson::SUCCESS)
    return;
  for (const auto child : list)
    visit(child);
}

std::string_view otlp_text_in(const dom::element& element) {
  std::string_view out;
  return element.get_string().get(out) == simdjson::SUCCESS ? out : std::string_view{};
}

template <class Integer>
Integer integer_of_text(std::string_view text) {
  Integer out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// A 64-bit number: as such, as text, or as `{low, high}`.
std::int64_t integer_in(const dom::element& element) {
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  double number = 0;
  if (element.get_int64().get(whole) == simdjson::SUCCESS)
    return whole;
  if (element.get_uint64().get(large) == simdjson::SUCCESS)
    return static_cast<std::int64_t>(large);
  if (element.is_string())
    return integer_of_text<std::int64_t>(otlp_text_in(element));
  if (element.get_double().get(number) == simdjson::SUCCESS)
    return number > -9e18 && number < 9e18 ? static_cast<std::int64_t>(number) : 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  for_each_member(element, [&](std::string_view key, const dom::element& value) {
    if (key == "low" && value.get_int64().get(whole) == simdjson::SUCCESS)
      low = static_cast<std::uint32_t>(whole);
    if (key == "high" && value.get_int64().get(whole) == simdjson::SUCCESS)
      high = static_cast<std::uint32_t>(whole);
  });
  return static_cast<std::int64_t>((std::uint64_t{high} << 32U) | low);
}

std::uint64_t nanoseconds_in(const dom::element& element) {
  if (element.is_string())
    return integer_of_text<std::uint64_t>(otlp_text_in(element));
  const auto out = integer_in(element);
  return out > 0 ? static_cast<std::uint64_t>(out) : 0;
}

/// The number of an enum: as such, or by its name, whose place in `names` it is.
template <std::size_t N>
std::uint64_t enum_in(const dom::element& element, std::string_view before,
                      const std::array<std::string_view, N>& names) {
  const auto text = otlp_text_in(element);
  if (!text.starts_with(before)) {
    const auto number = integer_in(element);
    return number > 0 ? static_cast<std::uint64_t>(number) : 0;
  }
  for (std::size_t i = 0; i < N; ++i)
    if (text.substr(before.size()) == names[i])
      return i;
  return 0;
}

std::uint64_t span_kind_in(const dom::element& element) {
  constexpr std::array<std::string_view, 6> names{"UNSPECIFIED", "INTERNAL", "SERVER",
                                                  "CLIENT",      "PRODUCER", "CONSUMER"};
  return enum_in(element, "SPAN_KIND_", names);
}

bool is_error_code(const dom::element& element) {
  constexpr std::array<std::string_view, 3> names{"UNSET", "OK", "ERROR"};
  return enum_in(element, "STATUS_CODE_", names) == 2;
}

std::uint32_t severity_in(const dom::element& element) {
  constexpr std::array<std::string_view, 25> names{
      "UNSPECIFIED", "TRACE",  "TRACE2", "TRACE3", "TRACE4", "DEBUG",  "DEBUG2", "DEBUG3", "DEBUG4",
      "INFO",        "INFO2",  "INFO3",  "INFO4",  "WARN",   "WARN2",  "WARN3",  "WARN4",  "ERROR",
      "ERROR2",      "ERROR3", "ERROR4", "FATAL",  "FATAL2", "FATAL3", "FATAL4"};
  return static_cast<std::uint32_t>(enum_in(element, "SEVERITY_NUMBER_", names));
}

std::string_view list_name(otlp_signal signal) {
  switch (signal) {
  case otlp_signal::logs:
    return "resourceLogs";
  case otlp_signal::traces:
    return "resourceSpans";
  case otlp_signal::metrics:
    break;
  }
  return "resourceMetrics";
}

std::string_view plain_list_name(otlp_signal signal) {
  switch (signal) {
  case otlp_signal::logs:
    return "resourcelogs";
  case otlp_signal::traces:
    return "resourcespans";
  case otlp_signal::metrics:
    break;
  }
  return "resourcemetrics";
}

class otlp_json_reader {
 public:
  otlp_json_reader(const decode_context& context, otlp_events& out)
      : limit_(context.limit), out_(out) {}

  void read(otlp_signal signal, const dom::element& root) {
    bool any = false;
    bool known = false;
    for_each_member(root, [&](std::string_view key, const dom::element& value) {
      any = true;
      if (!is_named(key, plain_list_name(signal)))
        return;
      known = true;
      for_each_element(value, [&](const dom::element& r) { read_resource(signal, r); });
    });
    if (any && !known)
      out_.remark("The body holds no " + std::string{list_name(signal)} +
                  ", so nothing was taken; this path takes OTLP.");
  }

 private:
  void read_resource(otlp_signal signal, const dom::element& element) {
    texts_.clear();
    otlp_attributes attributes;
    for_each_member(element, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "resource"))
        for_each_member(value, [&](std::string_view name, const dom::element& list) {
          if (is_named(name, "attributes"))
            add_attributes(list, attributes);
        });
    });
    out_.begin_resource(attributes);
    for_each_member(element, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "scopelogs") || is_named(key, "scopespans") ||
          is_named(key, "scopemetrics") || is_named(key, "instrumentationlibrarylogs") ||
          is_named(key, "instrumentationlibraryspans") ||
          is_named(key, "instrumentationlibrarymetrics"))
        for_each_element(value, [&](const dom::element& scope) { read_scope(signal, scope); });
    });
  }

  void read_scope(otlp_signal signal, const dom::element& element) {
    for_each_member(element, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "logrecords") || is_named(key, "logs") || is_named(key, "spans") ||
          is_named(key, "metrics"))
        for_each_element(value, [&](const dom::element& record) { take(signal, record); });
    });
  }

  void take(otlp_signal signal, const dom::element& record) {
    texts_.clear();
    if (signal == otlp_signal::metrics) {
      out_.count_points(points_of(record));
      return;
    }
    if (!out_.has_room())
      return;
    if (!record.is_object()) {
      out_.refuse("a record must be an object");
      return;
    }
    if (signal == otlp_signal::logs)
      out_.add(log_of(record));
    else
      out_.add(span_of(record));
  }

  const otlp_log& log_of(const dom::element& record) {
    auto attributes = std::move(log_.attributes);
    attributes.clear();
    log_ = {};
    log_.attributes = std::move(attributes);
    for_each_member(record, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "timeunixnano"))
        log_.time_ns = nanoseconds_in(value);
      else if (is_named(key, "observedtimeunixnano"))
        log_.observed_ns = nanoseconds_in(value);
      else if (is_named(key, "severitynumber"))
        log_.severity = severity_in(value);
      else if (is_named(key, "severitytext"))
        log_.severity_text = otlp_text_in(value);
      else if (is_named(key, "eventname"))
        log_.event_name = otlp_text_in(value);
      else if (is_named(key, "body"))
        log_.body = value_in(value);
      else if (is_named(key, "attributes"))
        add_attributes(value, log_.attributes);
      else if (is_named(key, "traceid"))
        log_.trace = otlp_id::of_json(otlp_text_in(value));
      else if (is_named(key, "spanid"))
        log_.span = otlp_id::of_json(otlp_text_in(value));
    });
    return log_;
  }

  const otlp_span& span_of(const dom::element& record) {
    span_ = {};
    for_each_member(record, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "traceid"))
        span_.trace = otlp_id::of_json(otlp_text_in(value));
      else if (is_named(key, "spanid"))
        span_.span = otlp_id::of_json(otlp_text_in(value));
      else if (is_named(key, "parentspanid"))
        span_.parent = otlp_id::of_json(otlp_text_in(value));
      else if (is_named(key, "name"))
        span_.name = otlp_text_in(value);
      else if (is_named(key, "kind"))
        span_.kind = otlp_span_kind_of(span_kind_in(value));
      else if (is_named(key, "starttimeunixnano"))
        span_.start_ns = nanoseconds_in(value);
      else if (is_named(key, "endtimeunixnano"))
        span_.end_ns = nanoseconds_in(value);
      else if (is_named(key, "attributes"))
        add_attributes(value, span_.attributes);
      else if (is_named(key, "events"))
        for_each_element(value, [&](const dom::element& event) { add_span_event(event); });
      else if (is_named(key, "status"))
        read_status(value);
    });
    return span_;
  }

  void add_span_event(const dom::element& element) {
    if (span_.events.size() >= limit_.entry.attributes)
      return;
    auto& event = span_.events.emplace_back();
    for_each_member(element, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "timeunixnano"))
        event.time_ns = nanoseconds_in(value);
      else if (is_named(key, "name"))
        event.name = otlp_text_in(value);
      else if (is_named(key, "attributes"))
        add_attributes(value, event.attributes);
    });
  }

  void read_status(const dom::element& element) {
    for_each_member(element, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "code"))
        span_.failed = is_error_code(value);
      else if (is_named(key, "message"))
        span_.status_message = otlp_text_in(value);
    });
  }

  void add_attributes(const dom::element& list, otlp_attributes& out) {
    for_each_element(list, [&](const dom::element& pair) {
      if (out.size() >= limit_.entry.attributes)
        return;
      auto& attribute = out.emplace_back();
      for_each_member(pair, [&](std::string_view key, const dom::element& value) {
        if (key == "key")
          attribute.key = otlp_text_in(value);
        else if (key == "value")
          attribute.value = value_in(value);
      });
    });
  }

  otlp_value value_in(const dom::element& element) {
    otlp_value out;
    for_each_member(element, [&](std::string_view key, const dom::element& value) {
      if (is_named(key, "stringvalue")) {
        out.kind = otlp_value::type::text;
        out.text = otlp_text_in(value);
      } else if (is_named(key, "boolvalue")) {
        out.kind = otlp_value::type::boolean;
        out.boolean = value.is_bool() && bool{value.get_bool()};
      } else if (is_named(key, "intvalue")) {
        out.kind = otlp_value::type::integer;
        out.integer = integer_in(value);
      } else if (is_named(key, "doublevalue")) {
        out.kind = otlp_value::type::number;
        out.number = number_of(value).value_or(0);
      } else if (is_named(key, "arrayvalue") || is_named(key, "kvlistvalue") ||
                 is_named(key, "bytesvalue")) {
        std::string json;
        append_any(element, json);
        out.kind = otlp_value::type::json;
        out.text = texts_.keep(std::move(json));
      }
    });
    return out;
  }

  // The depth of the whole document is bounded by the parser.
  static void append_any(const dom::element& any, std::string& out) {
    const auto begin = out.size();
    for_each_member(any, [&](std::string_view key, const dom::element& value) {
      if (out.size() > begin)
        return; // a value has one member
      if (is_named(key, "arrayvalue"))
        append_list(value, out);
      else if (is_named(key, "kvlistvalue"))
        append_map(value, out);
      else if (is_named(key, "bytesvalue"))
        out += "\"(" + std::to_string(otlp_text_in(value).size() / 4 * 3) + " bytes)\"";
      else if (is_named(key, "intvalue"))
        out += std::to_string(integer_in(value));
      else
        append_json(out, value);
    });
    if (out.size() == begin)
      out += "null";
  }

  static void append_list(const dom::element& list, std::string& out) {
    out += '[';
    bool first = true;
    for_each_member(list, [&](std::string_view key, const dom::element& values) {
      if (key != "values")
        return;
      for_each_element(values, [&](const dom::element& value) {
        if (!std::exchange(first, false))
          out += ',';
        append_any(value, out);
      });
    });
    out += ']';
  }

  static void append_map(const dom::element& map, std::string& out) {
    out += '{';
    bool first = true;
    for_each_member(map, [&](std::string_view key, const dom::element& values) {
      if (key != "values")
        return;
      for_each_element(values, [&](const dom::element& pair) {
        if (!std::exchange(first, false))
          out += ',';
        append_pair(pair, out);
      });
    });
    out += '}';
  }

  static void append_pair(const dom::element& pair, std::string& out) {
    std::string_view name;
    std::string value{"null"};
    for_each_member(pair, [&](std::string_view key, const dom::element& member) {
      if (key == "key")
        name = otlp_text_in(member);
      if (key != "value")
        return;
      value.clear();
      append_any(member, value);
    });
    append_json_string(out, name);
    out += ':';
    out += value;
  }

  // Each kind of metric holds its points in `dataPoints`.
  static std::uint64_t points_of(const dom::element& metric) {
    std::uint64_t points = 0;
    for_each_member(metric, [&](std::string_view, const dom::element& data) {
      for_each_member(data, [&](std::string_view key, const dom::element& list) {
        if (is_named(key, "datapoints"))
          for_each_element(list, [&](const dom::element&) { ++points; });
      });
    });
    return points;
  }

  const decode_limits& limit_;
  otlp_events& out_;
  otlp_scratch texts_;
  otlp_log log_;
  otlp_span span_;
};

} // namespace

std::optional<user_error> read_otlp_json(otlp_signal signal, std::string& body,
                                         const decode_context& context, otlp_events& out) {
  if (body.find_first_not_of(" \t\r\n") == std::string::npos)
    return std::nullopt;
  const auto root = context.json.parse(body);
  if (!root)
    return root.error();
  if (!root->is_object())
    return user_error{"The body must be an object with " + std::string{list_name(signal)} +
                      ", as OTLP has it."};
  otlp_json_reader{context, out}.read(signal, *root);
  return std::nullopt;
}

} // namespace gasoline
