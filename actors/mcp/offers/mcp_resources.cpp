#include "actors/mcp/offers/mcp_resources.hpp"

#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

json shown(const mcp_resource& r) {
  json out{{"uri", r.uri},
           {"name", r.name},
           {"title", r.title},
           {"description", r.description},
           {"mimeType", r.mime_type}};
  if (r.size)
    out["size"] = *r.size;
  return out;
}

json shown(const mcp_resource_template& t) {
  return {{"uriTemplate", t.uri_template()},
          {"name", t.name},
          {"title", t.title},
          {"description", t.description},
          {"mimeType", t.mime_type}};
}

template <class Row>
json shown_rows(const std::vector<Row>& rows) {
  json out = json::array();
  for (const auto& row : rows)
    out.push_back(shown(row));
  return out;
}

} // namespace

bool refuse_cursor(const request_context& context, const json& params) {
  if (!params.is_object())
    return false;
  const auto cursor = params.find("cursor");
  if (cursor == params.end() || cursor->is_null() || *cursor == std::string_view{})
    return false;
  context.fail(rpc_code::invalid_params,
               "cursor is not valid: the list has one page; leave it out.");
  return true;
}

void answer_text_resource(const request_context& context, std::string_view uri,
                          std::string_view mime_type, std::string text) {
  context.answer(
      {{"contents", {{{"uri", uri}, {"mimeType", mime_type}, {"text", std::move(text)}}}}});
}

void fail_not_found(const request_context& context, std::string_view uri) {
  context.fail(rpc_code::resource_not_found,
               "Resource not found; resources/list and resources/templates/list name those that "
               "exist.",
               {{"uri", uri}});
}

void resources_list(const request_context& context, const json& params) {
  if (!refuse_cursor(context, params))
    context.answer({{"resources", shown_rows(context.registry().resources)}});
}

void resource_templates_list(const request_context& context, const json& params) {
  if (!refuse_cursor(context, params))
    context.answer({{"resourceTemplates", shown_rows(context.registry().templates)}});
}

void resources_read(const request_context& context, const json& params) {
  const auto uri = text_parameter(params, "uri");
  if (!uri) {
    context.fail(rpc_code::invalid_params, "uri is missing, such as gasoline://guide.");
    return;
  }
  if (const auto* resource = context.registry().find_resource(*uri)) {
    resource->read(context, {{"uri", *uri}});
    return;
  }
  const auto* family = context.registry().find_template(*uri);
  if (!family) {
    fail_not_found(context, *uri);
    return;
  }
  json parameters{{"uri", *uri}};
  parameters[std::string{family->variable}] = *family->value_in(*uri);
  family->read(context, parameters);
}

} // namespace gasoline
