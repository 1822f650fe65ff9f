#include "actors/ingest/formats/sentry/sentry_event.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/decoding/console_message.hpp"
#include "actors/ingest/decoding/field_list.hpp"
#include "actors/ingest/formats/sentry/sentry_breadcrumbs.hpp"
#include "actors/ingest/formats/sentry/sentry_frames.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t most_causes = 8;

/// Type and value of an exception, as runtimes print them.
std::string exception_words(const dom::element& exception) {
  std::string out{text_in(exception, "type")};
  const auto value = text_in(exception, "value");
  if (!out.empty() && !value.empty())
    out += ": ";
  return out.append(value);
}

std::optional<dom::element> stack_of(const dom::element& exception) {
  return member_in(exception, "stacktrace");
}

// The last one was thrown; those before it are its causes, the nearest next to it.
std::string message_with_causes(const std::vector<dom::element>& exceptions) {
  auto out = exception_words(exceptions.back());
  std::size_t shown = 0;
  for (auto cause = exceptions.rbegin() + 1; cause != exceptions.rend(); ++cause) {
    if (shown++ == most_causes)
      break;
    const auto words = exception_words(*cause);
    if (words.empty())
      continue;
    out.append("\nCaused by: ").append(words);
    if (const auto stack = stack_of(*cause))
      if (const auto place = sentry_place(*stack); !place.empty())
        out.append(" at ").append(place);
  }
  return out;
}

/// The text of `{message, params, formatted}`; Python's older SDKs leave the last to the reader.
std::string said_with(const dom::element& entry) {
  if (const auto text = text_in(entry, "formatted"); !text.empty())
    return std::string{text};
  const auto text = text_in(entry, "message");
  const auto values = member_in(entry, "params");
  return values && values->is_array() ? console_message(text, *values) : std::string{text};
}

/// What was said, as a text or in parts.
std::string said_in(const dom::element& root) {
  for (const auto* name : {"logentry", "message"}) {
    const auto found = member_in(root, name);
    if (!found)
      continue;
    std::string_view text;
    auto said =
        found->get_string().get(text) == simdjson::SUCCESS ? std::string{text} : said_with(*found);
    if (!said.empty())
      return said;
  }
  return {};
}

/// The stack of the thread that crashed, else of the current one; what SDKs send with a text.
std::optional<dom::element> stack_of_thread(const dom::element& root) {
  const auto threads = member_in(root, "threads");
  if (!threads)
    return std::nullopt;
  for (const auto* mark : {"crashed", "current"})
    for (const auto& thread : values_of(*threads))
      if (const auto marked = member_in(thread, mark);
          marked && marked->is_bool() && bool{*marked} && member_in(thread, "stacktrace"))
        return member_in(thread, "stacktrace");
  return std::nullopt;
}

/// One event in the making.
class event_reader {
 public:
  event_reader(const dom::element& root, const sentry_sender& sender, const decode_context& context)
      : root_(root),
        sender_(sender),
        context_(context),
        fields_(event_.fields, context.limit.entry, context.cutter) {
    if (const auto exception = member_in(root, "exception"))
      exceptions_ = values_of(*exception);
  }

  raw_event read() {
    event_.origin = event_origin::sentry;
    event_.service = sentry_service(sender_, text_in(root_, "release"), context_);
    read_time();
    read_stack();
    read_message();
    read_meaning();
    read_addresses();
    read_rest();
    fields_.finish();
    return std::move(event_);
  }

 private:
  void read_time() {
    event_.at = context_.now;
    const auto told = member_in(root_, "timestamp");
    if (!told)
      return;
    if (const auto at = sentry_time(*told, context_.now)) {
      event_.at = *at;
      event_.at_given = true;
    } else {
      fields_.keep("sent_timestamp", *told);
    }
  }

  void read_stack() {
    auto stack = exceptions_.empty() ? std::nullopt : stack_of(exceptions_.back());
    if (!stack)
      stack = member_in(root_, "stacktrace");
    if (!stack)
      stack = stack_of_thread(root_);
    if (!stack)
      return;
    const auto& limit = context_.limit.entry;
    event_.stack = context_.cutter.first_frames(sentry_frames(*stack, limit.stack_frames),
                                                limit.stack_frames, limit.field_bytes);
    fields_.text("source_line", sentry_source_line(*stack));
  }

  bool is_said() const {
    return exceptions_.empty() || text_in(exceptions_.back(), "type").empty();
  }

  void read_message() {
    auto message = exceptions_.empty() ? std::string{} : message_with_causes(exceptions_);
    if (auto said = said_in(root_); is_said() && !said.empty())
      message = std::move(said);
    event_.message = context_.cutter.cut(message, context_.limit.entry.message_bytes);
  }

  bool is_handled() const {
    if (exceptions_.empty())
      return true;
    const auto mechanism = member_in(exceptions_.back(), "mechanism");
    const auto handled = mechanism ? member_in(*mechanism, "handled") : std::nullopt;
    return !handled || !handled->is_bool() || bool{*handled};
  }

  // A warning is what its program calls so, thrown or not.
  void read_meaning() {
    event_.level = sentry_level(text_in(root_, "level")).value_or(log_level::error);
    if (event_.level != log_level::error)
      return;
    event_.type = entry_type::exception;
    if (is_handled())
      fields_.text("reported_by", "sentry");
    else
      fields_.member("handled", "false");
  }

  // What a page throws belongs to its page; what a server throws, to the request that it served.
  void read_addresses() {
    const auto request = member_in(root_, "request");
    if (!request)
      return;
    const auto url = context_.cutter.cut(text_in(*request, "url"), context_.limit.entry.url_bytes);
    if (text_in(root_, "platform") == "javascript") {
      event_.url = url;
      return;
    }
    std::string words{text_in(*request, "method")};
    if (!words.empty() && !url.empty())
      words += ' ';
    fields_.text("request", words.append(url));
  }

  void read_rest() {
    for (const auto* name : {"transaction", "release", "environment", "server_name", "logger"})
      fields_.text(name, text_in(root_, name));
    for (const auto* name : {"tags", "extra"})
      if (const auto value = member_in(root_, name); value && !is_empty(*value))
        fields_.keep(name, *value);
    if (const auto contexts = member_in(root_, "contexts"))
      if (const auto trace = member_in(*contexts, "trace"))
        for (const auto* name : {"trace_id", "span_id", "parent_span_id"})
          fields_.text(name, text_in(*trace, name));
    fields_.text("sdk", sender_.sdk);
    fields_.text("event_id", sender_.event_id);
  }

  static bool is_empty(const dom::element& value) {
    dom::object object;
    dom::array list;
    if (value.get_object().get(object) == simdjson::SUCCESS)
      return object.size() == 0;
    return value.get_array().get(list) == simdjson::SUCCESS ? list.size() == 0 : value.is_null();
  }

  const dom::element& root_;
  const sentry_sender& sender_;
  const decode_context& context_;
  raw_event event_;
  field_list fields_;
  std::vector<dom::element> exceptions_;
};

} // namespace

void read_sentry_event(const dom::element& root, const sentry_sender& sender,
                       const decode_context& context, decoded_body& out) {
  auto own = sender;
  if (own.event_id.empty())
    own.event_id = event_id_in(root);
  if (own.sdk.empty())
    if (const auto sdk = member_in(root, "sdk"))
      own.sdk = sdk_words(*sdk);
  if (!own.event_id.empty() && !context.seen.add(own.event_id))
    return;
  read_sentry_breadcrumbs(root, own, context, out);
  out.events.push_back(event_reader{root, own, context}.read());
}

} // namespace gasoline
