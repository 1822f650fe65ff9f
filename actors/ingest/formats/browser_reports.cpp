#include "actors/base/dom_values.hpp"
#include "actors/ingest/decoding/field_list.hpp"
#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/sentry/sentry_sender.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t longest_method_name = 32;

/// The first of these members that has a text: the Reporting API and older reports name them apart.
std::string_view first_text(const dom::element& body,
                            std::initializer_list<std::string_view> names) {
  for (const auto name : names)
    if (const auto text = text_in(body, name); !text.empty())
      return text;
  return {};
}

/// One report in the making.
class report_event {
 public:
  report_event(const dom::element& body, std::string_view page, const decode_context& context)
      : body_(body),
        context_(context),
        fields_(event_.fields, context.limit.entry, context.cutter) {
    event_.origin = event_origin::report;
    event_.service = sentry_service({context.head.parameter, {}, {}}, {}, context);
    event_.at = context.now;
    event_.level = log_level::warn;
    event_.url = address(page);
  }

  /// The time of a report that was kept back: how many milliseconds ago it happened.
  void set_age(const dom::element& report) {
    constexpr double day_ms = 86'400'000;
    const auto age = member_in(report, "age");
    const auto ms = age ? number_of(*age) : std::nullopt;
    if (!ms || !(*ms >= 0) || *ms > day_ms)
      return;
    event_.at = context_.now - std::chrono::milliseconds{std::llround(*ms)};
    event_.at_given = true;
  }

  raw_event read(std::string_view type) {
    using reader = void (report_event::*)(std::string_view type);
    constexpr std::array<std::pair<std::string_view, reader>, 9> readers{{
        {"csp-violation", &report_event::read_policy},
        {"csp-hash", &report_event::read_other},
        {"coep", &report_event::read_isolation},
        {"coop", &report_event::read_isolation},
        {"deprecation", &report_event::read_advice},
        {"intervention", &report_event::read_advice},
        {"permissions-policy-violation", &report_event::read_advice},
        {"crash", &report_event::read_crash},
        {"network-error", &report_event::read_network_error},
    }};
    const auto found = std::find_if(readers.begin(), readers.end(),
                                    [&](const auto& row) { return row.first == type; });
    (this->*(found == readers.end() ? &report_event::read_other : found->second))(type);
    fields_.text("report", type);
    fields_.finish();
    return std::move(event_);
  }

 private:
  std::string address(std::string_view url) const {
    return context_.cutter.cut(url, context_.limit.entry.url_bytes);
  }

  void set_message(const std::string& text) {
    event_.message = context_.cutter.cut(text, context_.limit.entry.message_bytes);
  }

  void keep_number(std::string_view name, std::initializer_list<std::string_view> theirs) {
    for (const auto their : theirs)
      if (const auto value = member_in(body_, their))
        if (const auto number = number_of(*value); number && *number > 0 && *number < 1e9) {
          fields_.member(name, std::to_string(static_cast<std::uint64_t>(*number)));
          return;
        }
  }

  void keep_place() {
    fields_.text("filename", address(first_text(body_, {"sourceFile", "source-file"})));
    keep_number("lineno", {"lineNumber", "line-number"});
    keep_number("colno", {"columnNumber", "column-number"});
  }

  // In the words of the page script, which tells of the same violation.
  void read_policy(std::string_view) {
    event_.type = entry_type::security;
    const auto blocked = address(first_text(body_, {"blockedURL", "blocked-uri", "blockedURI"}));
    auto directive = first_text(body_, {"effectiveDirective", "effective-directive",
                                        "violatedDirective", "violated-directive"});
    directive = directive.substr(0, directive.find(' '));
    set_message("CSP: " + blocked + " violates " + std::string{directive});
    if (event_.url.empty())
      event_.url = address(first_text(body_, {"documentURL", "document-uri"}));
    fields_.text("violated_directive", directive);
    fields_.text("blocked_url", blocked);
    fields_.text("disposition", text_in(body_, "disposition"));
    fields_.text("sample", first_text(body_, {"sample", "script-sample"}));
    keep_place();
  }

  // COEP refuses what a page embeds, COOP cuts a page off from its opener.
  void read_isolation(std::string_view type) {
    event_.type = entry_type::security;
    const auto blocked = address(first_text(
        body_, {"blockedURL", "openeeURL", "openerURL", "otherDocumentURL", "nextResponseURL"}));
    set_message(std::string{type == "coep" ? "COEP" : "COOP"} + ": " +
                std::string{text_in(body_, "type")} + (blocked.empty() ? "" : " " + blocked));
    fields_.text("blocked_url", blocked);
    for (const auto* name : {"disposition", "destination", "property", "effectivePolicy"})
      fields_.text(name, text_in(body_, name));
    keep_place();
  }

  void read_advice(std::string_view type) {
    auto word = std::string{type == "permissions-policy-violation" ? "Permissions policy"
                            : type == "deprecation"                ? "Deprecated"
                                                                   : "Intervention"};
    const auto said = first_text(body_, {"message", "id", "featureId", "policyId"});
    set_message(word + ": " + std::string{said});
    for (const auto* name : {"id", "featureId", "policyId", "disposition", "anticipatedRemoval"})
      fields_.text(name, text_in(body_, name));
    keep_place();
  }

  void read_crash(std::string_view) {
    event_.level = log_level::error;
    event_.type = entry_type::exception;
    const auto reason = text_in(body_, "reason");
    const auto words = reason == "oom"            ? std::string_view{"it had no memory left"}
                       : reason == "unresponsive" ? std::string_view{"it did not respond"}
                       : reason.empty() ? std::string_view{"for a reason that is not told"}
                                        : reason;
    set_message("The page crashed: " + std::string{words});
    fields_.text("reported_by", "browser");
    if (const auto stack = text_in(body_, "stack"); !stack.empty())
      event_.stack = context_.cutter.first_frames(stack, context_.limit.entry.stack_frames,
                                                  context_.limit.entry.field_bytes);
  }

  void read_network_error(std::string_view) {
    event_.kind = telemetry_kind::request;
    event_.level = log_level::log;
    event_.name = context_.cutter.cut(text_in(body_, "method"), longest_method_name);
    const auto status = member_in(body_, "status_code");
    const auto number = status ? number_of(*status) : std::nullopt;
    event_.status =
        number && *number >= 0 && *number <= 999 ? static_cast<std::int32_t>(*number) : 0;
    if (const auto time = member_in(body_, "elapsed_time"))
      if (const auto ms = number_of(*time); ms && std::isfinite(*ms) && *ms >= 0)
        event_.duration_ms = *ms;
    if (const auto type = text_in(body_, "type"); type != "ok" && type != "http.error")
      fields_.text("error", type);
    event_.page = address(text_in(body_, "referrer"));
    fields_.text("phase", text_in(body_, "phase"));
  }

  void read_other(std::string_view type) {
    event_.level = log_level::info;
    set_message("Browser report: " + std::string{type.empty() ? "without a type" : type});
    fields_.keep("body", body_);
  }

  const dom::element& body_;
  const decode_context& context_;
  raw_event event_;
  field_list fields_;
};

bool is_old_policy_report(const dom::element& report) {
  return !first_text(report, {"effective-directive", "violated-directive", "document-uri"}).empty();
}

/// A report in any of its shapes; nothing: it has none of them.
std::optional<raw_event> read_report(const dom::element& report, const decode_context& context) {
  if (const auto inside = member_in(report, "csp-report"); inside && inside->is_object())
    return report_event{*inside, {}, context}.read("csp-violation");
  if (const auto body = member_in(report, "body")) {
    report_event event{*body, text_in(report, "url"), context};
    event.set_age(report);
    return event.read(text_in(report, "type"));
  }
  if (is_old_policy_report(report))
    return report_event{report, {}, context}.read("csp-violation");
  return std::nullopt;
}

void take_report(decoded_body& out, const dom::element& report, const decode_context& context) {
  const auto index = out.received++;
  if (auto event = read_report(report, context)) {
    out.events.push_back(std::move(*event));
    return;
  }
  ++out.rejected;
  if (out.errors.size() < context.limit.entry.errors_listed)
    out.errors.push_back({index, "a report must be {\"type\":…,\"url\":…,\"body\":{…}} or "
                                 "{\"csp-report\":{…}}"});
}

result_or<decoded_body> decode_reports(std::string& body, const decode_context& context) {
  const auto root = context.json.parse(body);
  if (!root)
    return tl::unexpected(root.error());
  decoded_body out;
  dom::array list;
  if (root->get_array().get(list) == simdjson::SUCCESS)
    for (const auto report : list)
      take_report(out, report, context);
  else
    take_report(out, *root, context);
  if (out.rejected > 0 && out.events.empty())
    return tl::unexpected(
        user_error{"Nothing here is a browser's report: " + out.errors.front().message + "."});
  return out;
}

// Browsers read no answer; an empty one raises no questions about its type.
ingest_answer answer_reports(const decoded_body&, const ingest_head&) {
  ingest_answer out;
  out.status = 204;
  return out;
}

constexpr std::string_view report_paths[] = {"/api/{project}/security/", "/api/{project}/security",
                                             "/api/{project}/csp-report/",
                                             "*/api/{project}/security/"};
constexpr std::string_view report_types[] = {"*"};

} // namespace

/// What browsers report of a page by themselves: the Reporting API's lists and the older reports of
/// content security policies.
constinit const ingest_format browser_reports_format{
    .route = {"browser_reports",
              "/reports",
              &http_room::http_limits::body_bytes,
              report_types,
              {},
              report_paths},
    .decode = decode_reports,
    .answer = answer_reports,
    .recorded = {},
    .shed_sentence = {},
};

} // namespace gasoline
