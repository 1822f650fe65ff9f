#include "actors/ingest/formats/sentry/sentry_breadcrumbs.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/decoding/field_list.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t most_breadcrumbs = 100;
constexpr std::size_t longest_name = 64;

std::string text_member(const dom::element& object, std::string_view name) {
  const auto found = member_in(object, name);
  return found ? text_of(*found) : std::string{};
}

/// One breadcrumb in the making.
class breadcrumb_reader {
 public:
  breadcrumb_reader(const dom::element& crumb, const decode_context& context)
      : crumb_(crumb),
        context_(context),
        category_(text_in(crumb, "category")),
        fields_(event_.fields, context.limit.entry, context.cutter) {}

  raw_event read(const sentry_sender& sender, const std::string& service) {
    event_.origin = event_origin::sentry;
    event_.service = service;
    event_.echo = true;
    fields_.member("echo", "true");
    fields_.text("breadcrumb", category_.empty() ? "default" : category_);
    read_time();
    if (category_ == "navigation")
      read_navigation();
    else if (category_.starts_with("ui."))
      read_action();
    else if (category_ == "fetch" || category_ == "xhr" || text_in(crumb_, "type") == "http")
      read_request();
    else
      read_line();
    fields_.text("before_event", sender.event_id);
    fields_.finish();
    return std::move(event_);
  }

 private:
  std::string address(std::string_view url) const {
    return context_.cutter.cut(url, context_.limit.entry.url_bytes);
  }

  std::optional<dom::element> data() const { return member_in(crumb_, "data"); }

  void read_time() {
    event_.at = context_.now;
    const auto told = member_in(crumb_, "timestamp");
    if (const auto at = told ? sentry_time(*told, context_.now) : std::nullopt) {
      event_.at = *at;
      event_.at_given = true;
    }
  }

  void read_navigation() {
    event_.kind = telemetry_kind::action;
    event_.name = "navigate";
    if (const auto more = data()) {
      event_.url = address(text_in(*more, "to"));
      fields_.text("from", text_in(*more, "from"));
    }
  }

  void read_action() {
    event_.kind = telemetry_kind::action;
    event_.name = context_.cutter.cut(category_.substr(category_.find('.') + 1), longest_name);
    fields_.text("selector", text_in(crumb_, "message"));
  }

  void read_request() {
    event_.kind = telemetry_kind::request;
    const auto more = data();
    if (!more)
      return;
    event_.name = context_.cutter.cut(text_in(*more, "method"), longest_name);
    event_.url = address(text_in(*more, "url"));
    for (const auto* name : {"status_code", "http.response.status_code"})
      if (const auto status = member_in(*more, name))
        if (const auto number = number_of(*status); number && *number >= 0 && *number <= 999)
          event_.status = static_cast<std::int32_t>(*number);
  }

  // An error that the SDK reports comes as an event of its own.
  void read_line() {
    event_.level =
        std::min(sentry_level(text_in(crumb_, "level")).value_or(log_level::info), log_level::warn);
    auto message = text_member(crumb_, "message");
    const auto more = data();
    if (message.empty() && more)
      message = text_of(*more);
    else if (more && category_ != "console")
      fields_.keep("data", *more);
    event_.message = context_.cutter.cut(message, context_.limit.entry.message_bytes);
  }

  const dom::element& crumb_;
  const decode_context& context_;
  std::string category_;
  raw_event event_;
  field_list fields_;
};

/// What tells one breadcrumb from another of the same program.
std::string breadcrumb_id(const dom::element& crumb, const sentry_sender& sender,
                          const std::string& service) {
  return sender.project + '\n' + service + '\n' + text_member(crumb, "timestamp") + '\n' +
         text_member(crumb, "category") + '\n' + text_member(crumb, "message") + '\n' +
         text_member(crumb, "data");
}

// The SDK's own remark that it has sent an event before.
bool tells_of_events(const dom::element& crumb) {
  const auto category = text_in(crumb, "category");
  return category.starts_with("sentry.") || category == "exception";
}

} // namespace

void read_sentry_breadcrumbs(const dom::element& root, const sentry_sender& sender,
                             const decode_context& context, decoded_body& out) {
  const auto wrapped = member_in(root, "breadcrumbs");
  if (!wrapped)
    return;
  const auto service = sentry_service(sender, text_in(root, "release"), context);
  const auto crumbs = values_of(*wrapped);
  const auto first = crumbs.size() - std::min(crumbs.size(), most_breadcrumbs);
  for (auto i = first; i < crumbs.size(); ++i)
    if (crumbs[i].is_object() && !tells_of_events(crumbs[i]) &&
        context.seen.add(breadcrumb_id(crumbs[i], sender, service)))
      out.events.push_back(breadcrumb_reader{crumbs[i], context}.read(sender, service));
}

} // namespace gasoline
