#include "actors/mcp_resources/core_resources.hpp"

#include "actors/mcp/client/client_reads.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp_resources/alert_evidence.hpp"
#include "actors/mcp_resources/guide.hpp"
#include "actors/mcp_tools/observe/alerts_mode.hpp"
#include "actors/mcp_tools/observe/ci_mode.hpp"
#include "actors/mcp_tools/observe/errors_mode.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view guide_uri = "gasoline://guide";
constexpr std::string_view alerts_uri = "gasoline://alerts";
constexpr std::string_view errors_uri = "gasoline://errors";
constexpr std::string_view ci_uri = "gasoline://ci";
constexpr std::string_view health_uri = "gasoline://health";
constexpr std::string_view alert_prefix = "gasoline://alerts/";

/// An `observe` answer as one document: the sentence becomes its first member.
std::string observe_document(const std::string& answer) {
  const auto line_end = answer.find('\n');
  std::string out{R"({"summary":)"};
  append_json_string(out, std::string_view{answer}.substr(0, line_end));
  out += ',';
  return out.append(answer, line_end + 2);
}

void mark_resource_read(const request_context& context, told_alerts alerts) {
  caf::anon_send(context.engine().alerts, shown_atom_v, context.client(), std::move(alerts),
                 shown_channel::resource);
}

void read_alerts_resource(const request_context& context, const json&) {
  read_alerts(context, [context](const alert_listing& listing) {
    const auto& limit = context.limit();
    auto shown = alerts_answer(plain_call(alerts_subject, limit, limit.result.bytes), listing);
    mark_resource_read(context, std::move(shown.told));
    answer_text_resource(context, alerts_uri, json_media_type, observe_document(shown.text));
  });
}

void read_errors_resource(const request_context& context, const json&) {
  const auto& limit = context.limit();
  const auto call = plain_call(errors_view(), limit, limit.result.bytes);
  read_own_events(context, call.query, [context, call](const store_page& page) {
    answer_text_resource(context, errors_uri, json_media_type,
                         observe_document(store_answer(call, page)));
  });
}

void read_ci_resource(const request_context& context, const json&) {
  read_own_ci(context, [context](const json& results) {
    const auto& limit = context.limit();
    const auto answer = ci_answer(plain_call(ci_subject, limit, limit.result.bytes), results);
    answer_text_resource(context, ci_uri, json_media_type, observe_document(answer));
  });
}

void read_health_resource(const request_context& context, const json&) {
  read_health(context, [context](const json& health) {
    answer_text_resource(context, health_uri, json_media_type, labelled_document(dumped(health)));
  });
}

void read_alert_resource(const request_context& context, const json& parameters) {
  const auto id = parameters.at("id").get<std::string>();
  const auto uri = parameters.at("uri").get<std::string>();
  read_alert_evidence(
      context, id,
      [context, uri, id](const std::string& document) {
        if (const auto number = alert_number(id))
          mark_resource_read(context, {{{*number, 0}}});
        answer_text_resource(context, uri, json_media_type, labelled_document(document));
      },
      [context, uri](const std::vector<std::string>&) { fail_not_found(context, uri); });
}

} // namespace

std::vector<mcp_resource> core_resources(const std::vector<mcp_tool>& tools) {
  const auto guide = guide_text(tools);
  return {
      {guide_uri, "guide", "Guide",
       "How to use Gasoline: what to observe, how to be told, what to hide.", "text/markdown",
       guide.size(),
       [guide](const request_context& context, const json&) {
         answer_text_resource(context, guide_uri, "text/markdown", guide);
       }},
      {alerts_uri, "alerts", "Alerts", "The last alerts, newest first: what went wrong.",
       json_media_type, std::nullopt, read_alerts_resource},
      {errors_uri, "errors", "Errors",
       "Console errors, uncaught errors and unhandled rejections, newest first.", json_media_type,
       std::nullopt, read_errors_resource},
      {ci_uri, "ci", "CI results", "The last CI results, newest first.", json_media_type,
       std::nullopt, read_ci_resource},
      {health_uri, "health", "Health",
       "The engine itself: clients, sources, buffers, drops, limits.", json_media_type,
       std::nullopt, read_health_resource},
  };
}

std::vector<mcp_resource_template> core_resource_templates() {
  return {
      {alert_prefix, "id", "", "alert", "One alert with its evidence",
       "An alert and the events around it, such as gasoline://alerts/alert_12.", json_media_type,
       alert_ids, read_alert_resource},
  };
}

} // namespace gasoline
