#include "transport/json_rpc.hpp"

#include "messages/base/json/json_member.hpp"
#include "messages/base/json/json_numbers.hpp"
#include "messages/base/json/json_repair.hpp"
#include "messages/base/json/json_text.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

rpc_frame single(rpc_message message) {
  rpc_frame frame;
  frame.messages.push_back(std::move(message));
  return frame;
}

rpc_fault fault(rpc_code code, std::string sentence, json id = nullptr) {
  return {std::move(id), code, std::move(sentence)};
}

bool is_valid_id(const json& id) {
  return id.is_string() || id.is_number_integer();
}

/// The id to echo in an error about `message`: its own when it is one, else null.
json echoed_id(const json& message) {
  const auto id = message.find("id");
  return id != message.end() && is_valid_id(*id) ? *id : json();
}

rpc_message decode_object(const json& message) {
  if (!message.is_object())
    return fault(rpc_code::invalid_request, "A JSON-RPC message must be an object.");
  const auto version = message.find("jsonrpc");
  if (version == message.end() || *version != "2.0")
    return fault(rpc_code::invalid_request, "\"jsonrpc\" must be \"2.0\".", echoed_id(message));
  const auto id = message.find("id");
  const bool has_id = id != message.end();
  if (has_id && !is_valid_id(*id))
    return fault(rpc_code::invalid_request,
                 "\"id\" must be a string or an integer of at most 64 bits, and never null.");
  const auto method = message.find("method");
  if (method == message.end()) {
    if (has_id && (message.contains("result") || message.contains("error")))
      return rpc_reply{*id, message.value("result", json()), message.value("error", json())};
    return fault(rpc_code::invalid_request, "\"method\" is missing.", echoed_id(message));
  }
  if (!method->is_string())
    return fault(rpc_code::invalid_request, "\"method\" must be a string.", echoed_id(message));
  const auto params = message.find("params");
  if (params != message.end() && !params->is_object() && !params->is_null())
    return fault(rpc_code::invalid_request, "\"params\" must be an object.", echoed_id(message));
  return rpc_call{has_id ? *id : json(), method->get<std::string>(),
                  params == message.end() ? json() : *params};
}

/// Whether the arguments of a tool have objects: only the order of their members may count.
bool has_objects(const json& arguments) {
  const auto may_be = [](const json& value) {
    return value.is_object() ||
           (value.is_string() && value.get_ref<const std::string&>().starts_with('{'));
  };
  return may_be(arguments) &&
         (arguments.is_string() || std::any_of(arguments.begin(), arguments.end(), may_be));
}

/// The arguments of a tool in the message `text`, as they are written there; empty: there is no
/// order in them, or it cannot be told.
std::string written_arguments(const rpc_call& call, std::string_view text) {
  if (call.method != "tools/call" || !call.params.is_object())
    return {};
  const auto given = call.params.find("arguments");
  if (given == call.params.end() || !has_objects(*given) || with_exact_numbers(text, 2))
    return {};
  simdjson::dom::parser parser;
  simdjson::dom::element arguments;
  if (parser.parse(simdjson::padded_string{text})["params"]["arguments"].get(arguments) !=
      simdjson::SUCCESS)
    return {};
  std::string_view inner;
  if (arguments.get(inner) == simdjson::SUCCESS)
    return std::string{inner};
  return simdjson::minify(arguments);
}

/// Clients do send lone surrogate escapes, which strict parsers refuse: JSON.stringify makes them
/// of text that was cut in the middle of a character. They become U+FFFD. Numbers beyond 64 bits
/// keep their digits as texts in what passes through, such as the data of an event; those of the
/// message itself, such as its id, stay what they are.
json parsed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool batch = first != std::string_view::npos && text[first] == '[';
  const auto exact = with_exact_numbers(text, batch ? 3 : 2);
  if (exact)
    text = *exact;
  auto document = json::parse(text, nullptr, false);
  const bool has_surrogate =
      text.find("\\ud") != std::string_view::npos || text.find("\\uD") != std::string_view::npos;
  if (!document.is_discarded() || !has_surrogate)
    return document;
  return json::parse(repaired_json(text), nullptr, false);
}

/// Why a text holds too much to be read; nothing when it does not.
std::optional<std::string> excess_problem(std::string_view text,
                                          const limits_of<client_room>& limit) {
  switch (excess_of(
      text, {limit.client.batch_messages, limit.client.message_values, limit.client.rpc_depth})) {
  case json_excess::none:
    return std::nullopt;
  case json_excess::elements:
    return "A batch may have at most " + std::to_string(limit.client.batch_messages) +
           " messages; send fewer at once.";
  case json_excess::values:
    return "A message may hold at most " + std::to_string(limit.client.message_values) +
           " values; send shorter lists.";
  case json_excess::nesting:
    return "The message nests deeper than " + std::to_string(limit.client.rpc_depth) + " levels.";
  }
  return std::nullopt;
}

/// The id to echo for a message that is refused unread, so that its sender does not wait for ever.
json id_of_unread(std::string_view text) {
  if (is_json_list(text))
    return {};
  const auto id = json::parse(scalar_member(text, "id"), nullptr, false);
  return is_valid_id(id) ? id : json();
}

} // namespace

rpc_frame decode_rpc(std::string_view text, const limits_of<client_room>& limit) {
  if (auto problem = excess_problem(text, limit))
    return single(fault(rpc_code::invalid_request, std::move(*problem), id_of_unread(text)));
  const auto document = parsed(text);
  if (document.is_discarded())
    return single(fault(rpc_code::parse_error,
                        "The message is not valid JSON in UTF-8 with numbers in range."));
  if (!document.is_array()) {
    auto message = decode_object(document);
    if (auto* call = std::get_if<rpc_call>(&message))
      call->ordered_arguments = written_arguments(*call, text);
    return single(std::move(message));
  }
  if (document.empty())
    return single(fault(rpc_code::invalid_request, "A batch must not be empty."));
  rpc_frame frame;
  frame.batch = true;
  frame.messages.reserve(document.size());
  for (const auto& message : document)
    frame.messages.push_back(decode_object(message));
  return frame;
}

rpc_frame overlong_rpc(const limits_of<client_room>& limit) {
  return single(fault(rpc_code::invalid_request, "The message is longer than " +
                                                     std::to_string(limit.client.line_bytes) +
                                                     " bytes and was dropped; send smaller ones."));
}

} // namespace gasoline
