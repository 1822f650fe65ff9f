#include "actors/ingest/formats/otlp/otlp_events.hpp"

#include "actors/ingest/formats/otlp/foreign_stack.hpp"
#include "actors/ingest/formats/otlp/otlp_fields.hpp"
#include "actors/ingest/formats/otlp/otlp_request.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

/// How far a sender's clock may be off before ours is believed.
constexpr auto most_clock_error = 24h;
constexpr std::uint64_t ns_per_ms = 1'000'000;
constexpr std::size_t longest_service_name = 128;
/// The exception itself has them all.
constexpr std::size_t frames_of_request = 5;

log_level level_of_severity(const otlp_log& log) {
  constexpr std::uint32_t info = 9;
  constexpr std::uint32_t warn = 13;
  constexpr std::uint32_t error = 17;
  if (log.severity >= error)
    return log_level::error;
  if (log.severity >= warn)
    return log_level::warn;
  if (log.severity >= info)
    return log_level::info;
  if (log.severity > 0)
    return log_level::debug;
  std::string word{log.severity_text};
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (word == "fatal" || word == "critical")
    return log_level::error;
  return parse_name<log_level>(word).value_or(log_level::log);
}

bool tells_exception(const otlp_attributes& attributes) {
  return find_attribute(attributes, "exception.type") != nullptr ||
         find_attribute(attributes, "exception.message") != nullptr;
}

/// `TypeError: x is not a function`.
std::string exception_words(const otlp_attributes& attributes) {
  const auto type = attribute_text(attributes, "exception.type");
  const auto message = attribute_text(attributes, "exception.message");
  if (type.empty() || message.starts_with(type))
    return std::string{message};
  return message.empty() ? std::string{type} : std::string{type} + ": " + std::string{message};
}

std::string stack_in(const otlp_attributes& attributes) {
  return readable_stack(attribute_text(attributes, "exception.stacktrace"));
}

bool is_exception(const otlp_span_event& event) {
  return event.name == "exception" || tells_exception(event.attributes);
}

/// What a span was about: a request to another service by its address, since its name is often the
/// method alone.
std::string subject_of(const otlp_span& span) {
  const std::string address{span.kind == otlp_span_kind::client ? request_address(span.attributes)
                                                                : std::string{}};
  if (!address.empty())
    return std::string{request_method(span.attributes)} + " " +
           address.substr(0, address.find('?'));
  return std::string{span.name.empty() ? "a span without a name" : span.name};
}

/// Why a span failed that tells of no exception.
std::string failure_words(const otlp_span& span) {
  auto out = subject_of(span);
  if (!span.status_message.empty())
    return out.append(": ").append(span.status_message);
  if (const auto status = response_status(span.attributes); status > 0)
    return out + ": status " + std::to_string(status);
  const auto type = attribute_text(span.attributes, "error.type");
  return out.append(": ").append(type.empty() ? "failed" : type);
}

} // namespace

bool is_coding_agent(std::string_view service) {
  constexpr std::array<std::string_view, 12> agents{
      "claude-code", "codex",    "gemini-cli", "qwen-code",      "opencode",     "copilot",
      "cline",       "kilocode", "roo-code",   "github-copilot", "cursor-agent", "goose"};
  return std::any_of(agents.begin(), agents.end(), [&](std::string_view agent) {
    if (!service.starts_with(agent))
      return false;
    // `codex_cli_rs` and `claude-code-desktop` are agents, `clinepath` is not.
    return service.size() == agent.size() ||
           std::string_view{"-_."}.find(service[agent.size()]) != std::string_view::npos;
  });
}

void otlp_events::begin_resource(const otlp_attributes& attributes) {
  const auto name = attribute_text(attributes, "service.name");
  is_agent_ = is_coding_agent(name);
  service_ = context_.cutter.cut(name, longest_service_name);
  pid_ = whole_number(find_attribute(attributes, "process.pid")).value_or(0);
}

bool otlp_events::has_room() {
  if (out_.received < context_.limit.ingest.otlp_records)
    return true;
  refuse("a body holds at most " + std::to_string(context_.limit.ingest.otlp_records) +
         " records; send smaller batches");
  return false;
}

// Why a request failed is often told by a span below it. Requests go first: who asked is what a
// fault is known by, what was thrown on the way is its evidence.
decoded_body otlp_events::take() {
  explain_failed_requests();
  if (has_requests_)
    std::stable_partition(out_.events.begin(), out_.events.end(),
                          [](const raw_event& e) { return e.kind == telemetry_kind::request; });
  return std::move(out_);
}

void otlp_events::explain_failed_requests() {
  for (const auto& [trace, index] : failed_requests_)
    if (const auto cause = thrown_.find(trace); cause != thrown_.end()) {
      const auto& thrown = out_.events[cause->second];
      auto& request = out_.events[index];
      request.message = thrown.message;
      request.stack = context_.cutter.first_frames(thrown.stack, frames_of_request,
                                                   context_.limit.entry.field_bytes);
    }
}

void otlp_events::refuse(std::string why) {
  ++out_.rejected;
  if (out_.errors.size() < context_.limit.entry.errors_listed)
    out_.errors.push_back({out_.received, std::move(why)});
  ++out_.received;
}

// What a sender's clock says is a label; one that is far off would hide the event from whoever asks
// for the last minutes.
raw_event& otlp_events::begin_event(telemetry_kind kind, std::uint64_t time_ns) {
  auto& e = out_.events.emplace_back();
  e.kind = kind;
  const wall_time told{std::chrono::milliseconds{static_cast<std::int64_t>(time_ns / ns_per_ms)}};
  const auto off = told > context_.now ? told - context_.now : context_.now - told;
  e.at_given = time_ns > 0 && off <= most_clock_error;
  e.at = e.at_given ? told : context_.now;
  e.origin = event_origin::otlp;
  e.service = service_;
  if (time_ns > 0 && !e.at_given)
    otlp_fields{e.fields, context_}.text("sent_at", to_iso8601(told));
  return e;
}

void otlp_events::add(const otlp_log& log) {
  if (is_agent_) {
    ++out_.received;
    ++out_.set_apart;
    return;
  }
  const auto level = level_of_severity(log);
  const auto time = log.time_ns > 0 ? log.time_ns : log.observed_ns;
  if (tells_exception(log.attributes)) {
    ++out_.received;
    add_exception(log.attributes, time, log.trace, log.span, {}, {});
    auto& e = out_.events.back();
    const bool is_told = log.severity > 0 || !log.severity_text.empty();
    e.level = is_told ? std::max(level, log_level::warn) : log_level::error;
    if (e.level < log_level::error)
      e.type = entry_type::console; // told, and not as a fault
    otlp_fields fields{e.fields, context_};
    fields.text("log", text_of_value(log.body, context_, context_.limit.entry.message_bytes));
    fields.attributes(log.attributes);
    return;
  }
  if (log.body.kind == otlp_value::type::none && log.event_name.empty() && log.attributes.empty()) {
    refuse("a log record needs a body, an event name or attributes");
    return;
  }
  ++out_.received;
  auto& e = begin_event(telemetry_kind::log, time);
  e.level = level;
  e.message = text_of_value(log.body, context_, context_.limit.entry.message_bytes);
  if (e.message.empty())
    e.message = context_.cutter.cut(log.event_name, context_.limit.entry.message_bytes);
  otlp_fields fields{e.fields, context_};
  fields.reserve(log.attributes);
  if (level == log_level::error) {
    e.type = entry_type::exception;
    fields.text("reported_by", "opentelemetry");
    if (pid_ > 0)
      fields.number("pid", pid_);
  }
  fields.ids(log.trace, log.span);
  fields.text("event_name", log.event_name);
  fields.attributes(log.attributes);
}

void otlp_events::add_exception(const otlp_attributes& attributes, std::uint64_t time_ns,
                                const otlp_id& trace, const otlp_id& span, const otlp_id& parent,
                                std::string_view span_name) {
  const auto& limit = context_.limit.entry;
  auto& e = begin_event(telemetry_kind::log, time_ns);
  e.level = log_level::error;
  e.type = entry_type::exception;
  e.message = context_.cutter.cut(exception_words(attributes), limit.message_bytes);
  e.stack =
      context_.cutter.first_frames(stack_in(attributes), limit.stack_frames, limit.field_bytes);
  if (!trace.empty())
    thrown_.try_emplace(std::string{trace.view()}, out_.events.size() - 1);
  otlp_fields fields{e.fields, context_};
  fields.text("reported_by", "opentelemetry");
  if (pid_ > 0)
    fields.number("pid", pid_);
  fields.ids(trace, span);
  fields.text("parent_span_id", parent.view());
  fields.text("span", span_name);
}

void otlp_events::add_failure(const otlp_span& span) {
  auto& e = begin_event(telemetry_kind::log, span.end_ns);
  e.level = log_level::error;
  e.type = entry_type::exception;
  e.message = context_.cutter.cut(failure_words(span), context_.limit.entry.message_bytes);
  otlp_fields fields{e.fields, context_};
  fields.text("reported_by", "opentelemetry");
  if (pid_ > 0)
    fields.number("pid", pid_);
  fields.ids(span.trace, span.span);
  fields.text("parent_span_id", span.parent.view());
  fields.text("span", span.name);
  fields.attributes(span.attributes);
}

// What a service answered, with the time that it took.
void otlp_events::add_request(const otlp_span& span) {
  const auto& limit = context_.limit.entry;
  auto& e = begin_event(telemetry_kind::request, span.end_ns);
  has_requests_ = true;
  e.name = context_.cutter.cut(request_method(span.attributes), limit.url_bytes);
  e.url = context_.cutter.cut(request_address(span.attributes), limit.url_bytes);
  e.status = response_status(span.attributes);
  const auto failed = std::find_if(span.events.begin(), span.events.end(), is_exception);
  if (failed != span.events.end()) {
    e.message = context_.cutter.cut(exception_words(failed->attributes), limit.message_bytes);
    e.stack = context_.cutter.first_frames(stack_in(failed->attributes), frames_of_request,
                                           limit.field_bytes);
  } else {
    e.message = context_.cutter.cut(span.status_message, limit.message_bytes);
  }
  if (e.message.empty() && e.status >= 500 && !span.trace.empty())
    failed_requests_.emplace_back(span.trace.view(), out_.events.size() - 1);
  otlp_fields fields{e.fields, context_};
  if (pid_ > 0)
    fields.number("pid", pid_);
  const auto route = attribute_text(span.attributes, "http.route");
  fields.text("route", route.empty() && e.url.empty() ? span.name : route);
  fields.ids(span.trace, span.span);
  fields.text("parent_span_id", span.parent.view());
  if (span.start_ns == 0 || span.end_ns < span.start_ns)
    return;
  e.duration_ms = static_cast<double>(span.end_ns - span.start_ns) / ns_per_ms;
  page_metrics metrics;
  metrics[page_metric::response] = e.duration_ms;
  // A failure is quick or hangs; neither says how long an answer takes.
  if (!span.failed && e.status < 400)
    e.metrics = std::make_shared<const page_metrics>(metrics);
}

void otlp_events::add(const otlp_span& span) {
  ++out_.received;
  if (is_agent_) {
    ++out_.set_apart;
    return;
  }
  const auto before = out_.events.size();
  if (span.kind == otlp_span_kind::server)
    add_request(span);
  bool told = false;
  for (const auto& event : span.events) {
    if (!is_exception(event))
      continue;
    add_exception(event.attributes, event.time_ns, span.trace, span.span, span.parent, span.name);
    told = true;
  }
  const bool answered =
      span.kind == otlp_span_kind::server && response_status(span.attributes) >= 500;
  if (span.failed && !told && !answered)
    add_failure(span);
  if (out_.events.size() == before)
    ++out_.counted_only;
}

} // namespace gasoline
