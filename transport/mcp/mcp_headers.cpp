#include "transport/mcp/mcp_headers.hpp"

#include "messages/base/encoding/base64.hpp"
#include "messages/base/letters.hpp"
#include "transport/http/head/header_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view version_header = "MCP-Protocol-Version";
constexpr std::string_view method_header = "Mcp-Method";
constexpr std::string_view name_header = "Mcp-Name";
constexpr std::string_view parameter_prefix = "Mcp-Param-";
constexpr std::string_view encoded_begin = "=?base64?";
constexpr std::string_view encoded_end = "?=";
constexpr std::size_t identity_bytes = 256;
constexpr std::size_t schema_levels = 16; // properties within properties

constexpr std::array<std::string_view, 3> session_headers{"Mcp-Session-Id", version_header,
                                                          "Last-Event-ID"};

/// Which parameter `Mcp-Name` repeats.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> named_methods{{
    {"tools/call", "name"},
    {"prompts/get", "name"},
    {"resources/read", "uri"},
}};

/// Whether a range such as `text/*;q=0.5` takes the type.
bool range_accepts(std::string_view range, std::string_view type) {
  const auto end = std::min(range.find(';'), range.size());
  const auto name = trimmed(range.substr(0, end));
  const auto main_type = type.substr(0, type.find('/'));
  const bool named = name == "*/*" || ascii::same_letters(name, type) ||
                     (name.size() == main_type.size() + 2 && name.ends_with("/*") &&
                      ascii::same_letters(name.substr(0, main_type.size()), main_type));
  if (!named)
    return false;
  const bool refused = any_part(range.substr(end), ';', [](std::string_view parameter) {
    if (parameter.size() < 2 || (parameter[0] != 'q' && parameter[0] != 'Q') || parameter[1] != '=')
      return false;
    return parameter.find_first_not_of("0.", 2) == std::string_view::npos;
  });
  return !refused;
}

mcp_refusal refusal(rpc_code code, std::string sentence) {
  return {400, code, std::move(sentence), nullptr};
}

mcp_refusal mismatch(std::string sentence) {
  return refusal(rpc_code::header_mismatch, std::move(sentence));
}

/// A received text in quotes, safe inside a sentence.
const json* member(const json& object, std::string_view name) {
  if (!object.is_object())
    return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string meta_key(std::string_view name) {
  return std::string{mcp_meta_prefix}.append(name);
}

const json* meta_of(const json& params, std::string_view name) {
  const json* meta = member(params, "_meta");
  return meta == nullptr ? nullptr : member(*meta, meta_key(name));
}

/// Why this header does not say exactly `expected`; nothing when it does.
std::optional<mcp_refusal> check_header(const http_request_view& head, std::string_view name,
                                        std::string_view expected) {
  const auto value = head.field(name);
  if (!value)
    return mismatch("The header " + std::string{name} + " is missing; send " + shown(expected) +
                    ", as in the body.");
  if (head.count(name) > 1)
    return mismatch("The header " + std::string{name} + " came twice; send it once.");
  const auto text = decode_header_value(*value);
  if (!text)
    return mismatch("The header " + std::string{name} +
                    " holds neither plain ASCII nor valid base64 in =?base64?…?=.");
  if (*text != expected)
    return mismatch("The header " + std::string{name} + " says " + shown(*text) +
                    ", the body says " + shown(expected) + "; send the same in both.");
  return std::nullopt;
}

/// The same for headers whose value is never encoded.
std::optional<mcp_refusal> check_plain_header(const http_request_view& head, std::string_view name,
                                              std::string_view expected) {
  if (head.field(name) == expected && head.count(name) == 1)
    return std::nullopt;
  return mismatch("The header " + std::string{name} + " must be there once and say " +
                  shown(expected) + ", as the body does.");
}

std::optional<mcp_refusal> check_meta(const json& params) {
  const json* version = meta_of(params, "protocolVersion");
  if (version == nullptr || !version->is_string())
    return refusal(rpc_code::invalid_params,
                   "params._meta[\"io.modelcontextprotocol/protocolVersion\"] is missing or no "
                   "string; each request of 2026-07-28 names its version there.");
  const json* capabilities = meta_of(params, "clientCapabilities");
  if (capabilities == nullptr || !capabilities->is_object())
    return refusal(rpc_code::invalid_params,
                   "params._meta[\"io.modelcontextprotocol/clientCapabilities\"] is missing or no "
                   "object; send {} when there are none.");
  return std::nullopt;
}

std::optional<mcp_refusal> check_version(std::string_view version) {
  const auto supported = name_of(mcp_revision::v2026_07_28);
  if (version == supported)
    return std::nullopt;
  auto out = refusal(rpc_code::version_unsupported,
                     "The protocol version " + shown(version) + " is not supported here; use " +
                         std::string{supported} + ", or initialize for older ones.");
  out.data = {{"supported", {supported}}, {"requested", version}};
  return out;
}

std::optional<mcp_refusal> check_name_header(const http_request_view& head, const rpc_call& call) {
  const auto row = std::find_if(named_methods.begin(), named_methods.end(),
                                [&](const auto& r) { return r.first == call.method; });
  if (row == named_methods.end())
    return std::nullopt;
  const json* name = member(call.params, row->second);
  if (name == nullptr || !name->is_string())
    return std::nullopt; // the method itself says what is missing
  return check_header(head, name_header, name->get_ref<const std::string&>());
}

const json* argument_at(const json& params, const std::vector<std::string>& path) {
  const json* at = member(params, "arguments");
  for (const auto& step : path)
    at = at == nullptr ? nullptr : member(*at, step);
  return at == nullptr || at->is_null() ? nullptr : at;
}

bool is_same_number(std::string_view text, const json& value) {
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, whole);
  if (error == std::errc{} && stop == end && value.is_number_integer() &&
      !value.is_number_unsigned())
    return value.get<std::int64_t>() == whole;
  double number = 0;
  const auto [at, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc{} && at == end && std::isfinite(number) &&
         value.get<double>() == number;
}

bool is_same(std::string_view text, const json& value) {
  if (value.is_string())
    return value.get_ref<const std::string&>() == text;
  if (value.is_boolean())
    return text == (value.get<bool>() ? "true" : "false");
  return value.is_number() && is_same_number(text, value);
}

std::optional<mcp_refusal> check_parameter(const http_request_view& head, const rpc_call& call,
                                           const header_parameter& parameter) {
  const std::string name = std::string{parameter_prefix} + parameter.name;
  const json* value = argument_at(call.params, parameter.path);
  const auto sent = head.field(name);
  if (value == nullptr && !sent)
    return std::nullopt;
  if (value == nullptr)
    return mismatch("The header " + name +
                    " repeats an argument that the body does not have; "
                    "leave it out.");
  if (!sent)
    return mismatch("The header " + name + " is missing; it repeats an argument of this tool.");
  const auto text = decode_header_value(*sent);
  if (!text || head.count(name) > 1 || !is_same(*text, *value))
    return mismatch("The header " + name + " does not say what the argument in the body says.");
  return std::nullopt;
}

void collect_parameters(const json& schema, const std::vector<std::string>& path,
                        std::vector<header_parameter>& out) {
  const json* properties = member(schema, "properties");
  if (properties == nullptr || !properties->is_object() || path.size() >= schema_levels)
    return;
  for (const auto& [name, property] : properties->items()) {
    auto below = path;
    below.push_back(name);
    const json* header = member(property, "x-mcp-header");
    if (header != nullptr && header->is_string())
      out.push_back({header->get<std::string>(), below});
    collect_parameters(property, below, out);
  }
}

bool is_claimed(const rpc_message& message) {
  const auto* call = std::get_if<rpc_call>(&message);
  return call != nullptr && meta_of(call->params, "protocolVersion") != nullptr;
}

} // namespace

bool accepts(std::string_view accept, std::string_view type) {
  return any_part(accept, ',', [&](std::string_view range) { return range_accepts(range, type); });
}

bool names_type(std::string_view accept, std::string_view type) {
  return any_part(accept, ',', [&](std::string_view range) {
    return ascii::same_letters(trimmed(range.substr(0, range.find(';'))), type);
  });
}

bool is_json_type(std::string_view content_type) {
  return ascii::same_letters(trimmed(content_type.substr(0, content_type.find(';'))),
                             "application/json");
}

mcp_era era_of(const http_request_view& head, const rpc_frame& frame) {
  const auto version = head.field(version_header);
  const bool by_header = version && *version == name_of(mcp_revision::v2026_07_28);
  if (frame.batch || frame.messages.empty())
    return by_header ? mcp_era::modern : mcp_era::legacy;
  const auto* call = std::get_if<rpc_call>(&frame.messages.front());
  const bool is_request = call != nullptr && !call->is_notification();
  if (is_request && is_claimed(frame.messages.front()))
    return mcp_era::modern;
  const bool handshake = is_request && call->method == "initialize";
  return by_header && !handshake ? mcp_era::modern : mcp_era::legacy;
}

std::optional<mcp_refusal> check_modern_request(const http_request_view& head,
                                                const rpc_call& call) {
  if (auto out = check_meta(call.params))
    return out;
  const auto version = meta_of(call.params, "protocolVersion")->get<std::string>();
  if (auto out = check_plain_header(head, version_header, version))
    return out;
  if (auto out = check_version(version))
    return out;
  if (auto out = check_plain_header(head, method_header, call.method))
    return out;
  return check_name_header(head, call);
}

std::optional<mcp_refusal> check_header_parameters(const http_request_view& head,
                                                   const rpc_call& call,
                                                   const std::vector<header_parameter>& declared) {
  for (const auto& parameter : declared)
    if (auto out = check_parameter(head, call, parameter))
      return out;
  return std::nullopt;
}

std::optional<mcp_refusal> check_legacy_version(const http_request_view& head) {
  const auto value = head.field(version_header);
  if (!value)
    return std::nullopt; // 2025-03-26 had no such header
  const auto version = parse_name<mcp_revision>(*value);
  if (version && *version <= newest_legacy_revision)
    return std::nullopt;
  return refusal(rpc_code::invalid_request, "The protocol version " + shown(*value) +
                                                " is not known in a session; send the one that "
                                                "initialize agreed on, of " +
                                                legacy_revision_names() + '.');
}

std::optional<mcp_refusal> check_repeated(const http_request_view& head) {
  for (const auto name : session_headers)
    if (head.count(name) > 1)
      return refusal(rpc_code::invalid_request,
                     "The header " + std::string{name} + " came twice; send it once.");
  return std::nullopt;
}

std::optional<mcp_refusal> check_batch(const http_request_view& head) {
  constexpr auto with_batches = name_of(mcp_revision::v2025_03_26);
  if (head.field(version_header).value_or(with_batches) == with_batches)
    return std::nullopt;
  return refusal(rpc_code::invalid_request,
                 "Batches exist only in revision 2025-03-26; send messages one by one.");
}

bool knows_priming(const http_request_view& head) {
  return head.field(version_header) == name_of(mcp_revision::v2025_11_25);
}

std::optional<std::string> decode_header_value(std::string_view value) {
  if (!std::all_of(value.begin(), value.end(),
                   [](char c) { return (c >= 0x20 && c <= 0x7E) || c == '\t'; }))
    return std::nullopt;
  if (value.size() < encoded_begin.size() + encoded_end.size() ||
      !value.starts_with(encoded_begin) || !value.ends_with(encoded_end))
    return std::string{value};
  value.remove_prefix(encoded_begin.size());
  value.remove_suffix(encoded_end.size());
  return base64_decoded_strictly(value);
}

std::uint16_t modern_status(std::int32_t error_code) {
  switch (static_cast<rpc_code>(error_code)) {
  case rpc_code::method_not_found:
    return 404;
  case rpc_code::header_mismatch:
  case rpc_code::capability_missing:
  case rpc_code::version_unsupported:
    return 400;
  default:
    return 200;
  }
}

std::vector<header_parameter> header_parameters_of(const json& input_schema) {
  std::vector<header_parameter> out;
  collect_parameters(input_schema, {}, out);
  return out;
}

std::string_view given_client_name(const http_request_view& head) {
  return head.field("X-Gasoline-Client").value_or("").substr(0, identity_bytes);
}

std::string client_identity(const http_request_view& head, const json& params) {
  if (const auto given = given_client_name(head); !given.empty())
    return "header " + std::string{given};
  const json* info = meta_of(params, "clientInfo");
  const auto part = [&](std::string_view name) {
    const json* value = info == nullptr ? nullptr : member(*info, name);
    return value != nullptr && value->is_string()
               ? value->get_ref<const std::string&>().substr(0, identity_bytes)
               : std::string{};
  };
  const auto name = part("name");
  return name.empty() ? "anonymous" : "info " + name + ' ' + part("version");
}

} // namespace gasoline
