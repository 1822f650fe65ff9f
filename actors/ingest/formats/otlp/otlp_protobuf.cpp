#include "actors/ingest/formats/otlp/otlp_protobuf.hpp"

#include "actors/ingest/formats/otlp/protozero_text.hpp"
#include "messages/base/json/json_text.hpp"

#include <string>
#include <utility>

namespace gasoline {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr std::uint32_t bytes_in(std::uint32_t field) {
  return protozero::tag_and_type(field, pbf_wire_type::length_delimited);
}

constexpr std::uint32_t varint_in(std::uint32_t field) {
  return protozero::tag_and_type(field, pbf_wire_type::varint);
}

constexpr std::uint32_t fixed64_in(std::uint32_t field) {
  return protozero::tag_and_type(field, pbf_wire_type::fixed64);
}

// Of `AnyValue`.
constexpr std::uint32_t any_text = bytes_in(1);
constexpr std::uint32_t any_boolean = varint_in(2);
constexpr std::uint32_t any_integer = varint_in(3);
constexpr std::uint32_t any_number = fixed64_in(4);
constexpr std::uint32_t any_list = bytes_in(5);
constexpr std::uint32_t any_map = bytes_in(6);
constexpr std::uint32_t any_bytes = bytes_in(7);

// Scopes of versions before 0.16 had a field of their own, with the same layout.
constexpr std::uint32_t scope_field = bytes_in(2);
constexpr std::uint32_t library_field = bytes_in(1000);

/// The last value that an `AnyValue` sets.
struct wire_value {
  std::uint32_t field = 0;
  std::string_view bytes;
  std::int64_t integer = 0;
  double number = 0;
};

wire_value wire_value_of(std::string_view message) {
  wire_value out;
  for (pbf_reader in{message}; in.next();) {
    const auto field = in.tag_and_type();
    switch (field) {
    case any_text:
    case any_list:
    case any_map:
    case any_bytes:
      out.bytes = in.get_view();
      break;
    case any_boolean:
    case any_integer:
      out.integer = in.get_int64();
      break;
    case any_number:
      out.number = in.get_double();
      break;
    default:
      in.skip();
      continue;
    }
    out.field = field;
  }
  return out;
}

/// Reads one body. What is no protobuf is thrown as protozero's exception.
class otlp_protobuf_reader {
 public:
  otlp_protobuf_reader(const decode_context& context, otlp_events& out)
      : limit_(context.limit), out_(out) {}

  void read(otlp_signal signal, std::string_view body) {
    for (pbf_reader in{body}; in.next();) {
      if (in.tag_and_type() == bytes_in(1))
        read_resource(signal, in.get_view());
      else if (in.tag() == 1)
        throw protozero::unknown_pbf_wire_type_exception{};
      else
        in.skip();
    }
  }

 private:
  // The resource may stand behind what belongs to it.
  void read_resource(otlp_signal signal, std::string_view message) {
    otlp_attributes attributes;
    texts_.clear();
    for (pbf_reader in{message}; in.next(1, pbf_wire_type::length_delimited);)
      for (pbf_reader resource{in.get_view()}; resource.next(1, pbf_wire_type::length_delimited);)
        add_attribute(resource.get_view(), attributes);
    out_.begin_resource(attributes);
    for (pbf_reader in{message}; in.next();) {
      const auto field = in.tag_and_type();
      if (field == scope_field || field == library_field)
        read_scope(signal, in.get_view());
      else
        in.skip();
    }
  }

  void read_scope(otlp_signal signal, std::string_view message) {
    for (pbf_reader in{message}; in.next();) {
      if (in.tag_and_type() != bytes_in(2)) {
        in.skip();
        continue;
      }
      const auto record = in.get_view();
      texts_.clear();
      too_deep_ = false;
      if (signal == otlp_signal::metrics)
        out_.count_points(points_of(record));
      else if (!out_.has_room())
        continue;
      else if (signal == otlp_signal::logs)
        take_log(record);
      else
        take_span(record);
    }
  }

  void take_log(std::string_view record) {
    read_log(record);
    if (too_deep_)
      refuse_depth();
    else
      out_.add(log_);
  }

  void take_span(std::string_view record) {
    read_span(record);
    if (too_deep_)
      refuse_depth();
    else
      out_.add(span_);
  }

  void refuse_depth() {
    out_.refuse("a value nests deeper than " + std::to_string(limit_.ingest.json_depth) +
                " levels; send it flatter");
  }

  // Records are kept between the calls for the memory of their lists.
  void read_log(std::string_view message) {
    auto attributes = std::move(log_.attributes);
    attributes.clear();
    log_ = {};
    log_.attributes = std::move(attributes);
    for (pbf_reader in{message}; in.next();) {
      switch (in.tag_and_type()) {
      case fixed64_in(1):
        log_.time_ns = in.get_fixed64();
        break;
      case varint_in(2):
        log_.severity = in.get_uint32();
        break;
      case bytes_in(3):
        log_.severity_text = texts_.valid(in.get_view());
        break;
      case bytes_in(5):
        log_.body = value_of(in.get_view());
        break;
      case bytes_in(6):
        add_attribute(in.get_view(), log_.attributes);
        break;
      case bytes_in(9):
        log_.trace = otlp_id::of_bytes(in.get_view());
        break;
      case bytes_in(10):
        log_.span = otlp_id::of_bytes(in.get_view());
        break;
      case fixed64_in(11):
        log_.observed_ns = in.get_fixed64();
        break;
      case bytes_in(12):
        log_.event_name = texts_.valid(in.get_view());
        break;
      default:
        in.skip();
      }
    }
  }

  void read_span(std::string_view message) {
    auto attributes = std::move(span_.attributes);
    attributes.clear();
    span_ = {};
    span_.attributes = std::move(attributes);
    for (pbf_reader in{message}; in.next();) {
      switch (in.tag_and_type()) {
      case bytes_in(1):
        span_.trace = otlp_id::of_bytes(in.get_view());
        break;
      case bytes_in(2):
        span_.span = otlp_id::of_bytes(in.get_view());
        break;
      case bytes_in(4):
        span_.parent = otlp_id::of_bytes(in.get_view());
        break;
      case bytes_in(5):
        span_.name = texts_.valid(in.get_view());
        break;
      case varint_in(6):
        span_.kind = otlp_span_kind_of(in.get_uint32());
        break;
      case fixed64_in(7):
        span_.start_ns = in.get_fixed64();
        break;
      case fixed64_in(8):
        span_.end_ns = in.get_fixed64();
        break;
      case bytes_in(9):
        add_attribute(in.get_view(), span_.attributes);
        break;
      case bytes_in(11):
        add_span_event(in.get_view());
        break;
      case bytes_in(15):
        read_status(in.get_view());
        break;
      default:
        in.skip();
      }
    }
  }

  void add_span_event(std::string_view message) {
    if (span_.events.size() >= limit_.entry.attributes)
      return;
    auto& event = span_.events.emplace_back();
    for (pbf_reader in{message}; in.next();) {
      switch (in.tag_and_type()) {
      case fixed64_in(1):
        event.time_ns = in.get_fixed64();
        break;
      case bytes_in(2):
        event.name = texts_.valid(in.get_view());
        break;
      case bytes_in(3):
        add_attribute(in.get_view(), event.attributes);
        break;
      default:
        in.skip();
      }
    }
  }

  void read_status(std::string_view message) {
    for (pbf_reader in{message}; in.next();) {
      switch (in.tag_and_type()) {
      case bytes_in(2):
        span_.status_message = texts_.valid(in.get_view());
        break;
      case varint_in(3):
        span_.failed = in.get_uint32() == 2;
        break;
      default:
        in.skip();
      }
    }
  }

  void add_attribute(std::string_view message, otlp_attributes& out) {
    if (out.size() >= limit_.entry.attributes)
      return;
    auto& attribute = out.emplace_back();
    for (pbf_reader in{message}; in.next();) {
      switch (in.tag_and_type()) {
      case bytes_in(1):
        attribute.key = texts_.valid(in.get_view());
        break;
      case bytes_in(2):
        attribute.value = value_of(in.get_view());
        break;
      default:
        in.skip();
      }
    }
  }

  otlp_value value_of(std::string_view message) {
    const auto wire = wire_value_of(message);
    otlp_value out;
    switch (wire.field) {
    case any_text:
      out.kind = otlp_value::type::text;
      out.text = texts_.valid(wire.bytes);
      break;
    case any_boolean:
      out.kind = otlp_value::type::boolean;
      out.boolean = wire.integer != 0;
      break;
    case any_integer:
      out.kind = otlp_value::type::integer;
      out.integer = wire.integer;
      break;
    case any_number:
      out.kind = otlp_value::type::number;
      out.number = wire.number;
      break;
    case any_list:
    case any_map:
    case any_bytes: {
      std::string json;
      append_wire_json(wire, json, 1);
      out.kind = otlp_value::type::json;
      out.text = texts_.keep(std::move(json));
      break;
    }
    default:
      break;
    }
    return out;
  }

  void append_wire_json(const wire_value& wire, std::string& out, std::size_t depth) {
    switch (wire.field) {
    case any_text:
      append_json_string(out, texts_.valid(wire.bytes));
      return;
    case any_boolean:
      out += wire.integer != 0 ? "true" : "false";
      return;
    case any_integer:
      out += std::to_string(wire.integer);
      return;
    case any_number:
      append_json_number(out, wire.number);
      return;
    case any_bytes:
      out += "\"(" + std::to_string(wire.bytes.size()) + " bytes)\"";
      return;
    case any_list:
    case any_map:
      break;
    default:
      out += "null";
      return;
    }
    too_deep_ = too_deep_ || depth > limit_.ingest.json_depth;
    if (too_deep_)
      out += "null";
    else if (wire.field == any_list)
      append_list(wire.bytes, out, depth + 1);
    else
      append_map(wire.bytes, out, depth + 1);
  }

  void append_list(std::string_view message, std::string& out, std::size_t depth) {
    out += '[';
    bool first = true;
    for (pbf_reader in{message}; in.next(1, pbf_wire_type::length_delimited);) {
      if (!std::exchange(first, false))
        out += ',';
      append_wire_json(wire_value_of(in.get_view()), out, depth);
    }
    out += ']';
  }

  void append_map(std::string_view message, std::string& out, std::size_t depth) {
    out += '{';
    bool first = true;
    for (pbf_reader in{message}; in.next(1, pbf_wire_type::length_delimited);) {
      std::string_view key;
      wire_value value;
      for (pbf_reader pair{in.get_view()}; pair.next();) {
        if (pair.tag_and_type() == bytes_in(1))
          key = pair.get_view();
        else if (pair.tag_and_type() == bytes_in(2))
          value = wire_value_of(pair.get_view());
        else
          pair.skip();
      }
      if (!std::exchange(first, false))
        out += ',';
      append_json_string(out, texts_.valid(key));
      out += ':';
      append_wire_json(value, out, depth);
    }
    out += '}';
  }

  // Each kind of metric holds its points in field 1.
  static std::uint64_t points_of(std::string_view metric) {
    std::uint64_t points = 0;
    for (pbf_reader in{metric}; in.next();) {
      const bool is_data =
          in.tag() >= 5 && in.tag() <= 11 && in.wire_type() == pbf_wire_type::length_delimited;
      if (!is_data) {
        in.skip();
        continue;
      }
      for (pbf_reader data{in.get_view()}; data.next(1, pbf_wire_type::length_delimited);
           data.skip())
        ++points;
    }
    return points;
  }

  const decode_limits& limit_;
  otlp_events& out_;
  otlp_scratch texts_;
  otlp_log log_;
  otlp_span span_;
  bool too_deep_ = false;
};

} // namespace

std::optional<user_error> read_otlp_protobuf(otlp_signal signal, std::string_view body,
                                             const decode_context& context, otlp_events& out) {
  try {
    otlp_protobuf_reader{context, out}.read(signal, body);
  } catch (const protozero::exception& e) {
    if (!body.empty() && (body.front() == '{' || body.front() == '['))
      return user_error{"The body is JSON, but its content type says protobuf; send it with "
                        "Content-Type: application/json."};
    return user_error{"The body is no OTLP request in protobuf (" + std::string{e.what()} +
                      "); send the bytes of the Export…ServiceRequest of this path, or JSON with "
                      "Content-Type: application/json."};
  }
  return std::nullopt;
}

} // namespace gasoline
