#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/conformance/conformance_fixtures.hpp"
#include "actors/mcp/offers/mcp_prompts.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"
#include "messages/base/json/json_text.hpp"

#include <array>
#include <chrono>

namespace gasoline {
namespace {

using nlohmann::json;

/// The suites want a pause between the notifications of one call.
constexpr std::chrono::milliseconds pause{50};

constexpr std::string_view silent_wav =
    "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

json image_content() {
  return {{"type", "image"}, {"data", conformance_png}, {"mimeType", "image/png"}};
}

json resource_content(std::string_view uri, std::string_view mime_type, std::string_view text) {
  return {{"type", "resource"},
          {"resource", {{"uri", uri}, {"mimeType", mime_type}, {"text", text}}}};
}

void simple_text(const request_context& context, const json&) {
  answer_text(context, "This is a simple text response for testing.");
}

void image(const request_context& context, const json&) {
  context.answer({{"content", {image_content()}}});
}

void audio(const request_context& context, const json&) {
  context.answer(
      {{"content", {{{"type", "audio"}, {"data", silent_wav}, {"mimeType", "audio/wav"}}}}});
}

void embedded_resource(const request_context& context, const json&) {
  context.answer({{"content",
                   {resource_content("test://embedded-resource", "text/plain",
                                     "This is an embedded resource content.")}}});
}

void multiple_content(const request_context& context, const json&) {
  context.answer({{"content",
                   {text_content("Multiple content types test:"), image_content(),
                    resource_content("test://mixed-content-resource", "application/json",
                                     R"({"test":"data","value":123})")}}});
}

void intended_error(const request_context& context, const json&) {
  answer_text_error(context, "This tool intentionally returns an error for testing");
}

/// Calls `step` for each number below `count`, with a pause in between, then `done`.
void in_steps(const request_context& context, std::size_t count, std::size_t next,
              const std::function<void(std::size_t)>& step, const std::function<void()>& done) {
  step(next);
  if (next + 1 == count) {
    done();
    return;
  }
  context.after(pause, [context, count, next, step, done] {
    in_steps(context, count, next + 1, step, done);
  });
}

void with_progress(const request_context& context, const json&) {
  in_steps(
      context, 3, 0,
      [context](std::size_t i) { context.progress(static_cast<double>(i) * 50, 100.0); },
      [context] { answer_text(context, "Progress reported."); });
}

void with_logging(const request_context& context, const json&) {
  static constexpr std::array<std::string_view, 3> lines{
      "Tool execution started", "Tool processing data", "Tool execution completed"};
  in_steps(
      context, lines.size(), 0,
      [context](std::size_t i) { context.log("info", "conformance", lines[i]); },
      [context] { answer_text(context, "Tool with logging executed."); });
}

void one_log_line(const request_context& context, const json&) {
  context.log("info", "conformance", "Told only where the request asks for it");
  answer_text(context, "Logged where the request asked for it.");
}

json json_schema_2020_12() {
  return {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"type", "object"},
      {"$defs",
       {{"address",
         {{"$anchor", "addressDef"},
          {"type", "object"},
          {"properties", {{"street", {{"type", "string"}}}, {"city", {{"type", "string"}}}}}}}}},
      {"properties",
       {{"name", {{"type", "string"}}},
        {"address", {{"$ref", "#/$defs/address"}}},
        {"contactMethod", {{"type", "string"}, {"enum", {"phone", "email"}}}},
        {"phone", {{"type", "string"}}},
        {"email", {{"type", "string"}}}}},
      {"allOf",
       json::array(
           {{{"anyOf", json::array({{{"required", {"phone"}}}, {{"required", {"email"}}}})}}})},
      {"if",
       {{"properties", {{"contactMethod", {{"const", "phone"}}}}},
        {"required", {"contactMethod"}}}},
      {"then", {{"required", {"phone"}}}},
      {"else", {{"required", {"email"}}}},
      {"additionalProperties", false}};
}

void echo_arguments(const request_context& context, const json& arguments) {
  answer_text(context, "Called with " + dumped(arguments));
}

json header_schema() {
  return {{"type", "object"},
          {"properties",
           {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}},
            {"priority", {{"type", "integer"}, {"x-mcp-header", "Priority"}}},
            {"verbose", {{"type", "boolean"}, {"x-mcp-header", "Verbose"}}}}},
          {"required", {"region"}}};
}

} // namespace

std::vector<mcp_tool> conformance_content_tools() {
  return {
      conformance_tool("test_simple_text", "Answers one text", simple_text),
      conformance_tool("test_image_content", "Answers one image", image),
      conformance_tool("test_audio_content", "Answers one audio", audio),
      conformance_tool("test_embedded_resource", "Answers one embedded resource",
                       embedded_resource),
      conformance_tool("test_multiple_content_types", "Answers a text, an image and a resource",
                       multiple_content),
      conformance_tool("test_error_handling", "Answers an error", intended_error),
      conformance_tool("test_tool_with_progress", "Reports progress 0, 50, 100", with_progress),
      conformance_tool("test_tool_with_logging", "Logs three times", with_logging),
      conformance_tool("test_logging_tool", "Logs once", one_log_line),
      conformance_tool("json_schema_2020_12_tool", "Has a schema of the draft 2020-12",
                       echo_arguments, json_schema_2020_12()),
      conformance_tool("test_custom_headers", "Has arguments that headers mirror", echo_arguments,
                       header_schema()),
  };
}

} // namespace gasoline
