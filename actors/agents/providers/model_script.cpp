#include "actors/agents/providers/model_script.hpp"

#include "actors/agents/providers/call_failures.hpp"
#include "messages/agents/session_event.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::uint64_t most_delay_ms = 3'600'000;
constexpr std::uint64_t most_tokens = 1'000'000'000'000;

/// Keys of a step that say what it is.
struct step_row {
  const char* key;
  script_step_kind kind;
};

constexpr step_row step_keys[] = {{"text", script_step_kind::text},
                                  {"thinking", script_step_kind::thinking},
                                  {"tool_use", script_step_kind::tool_use},
                                  {"event", script_step_kind::event}};

constexpr std::array<std::string_view, 4> stop_reasons{"end_turn", "max_tokens", "stop_sequence",
                                                       "tool_use"};

tl::unexpected<user_error> script_fault(const std::string& where, std::string_view sentence) {
  return tl::unexpected(user_error{where + std::string{sentence}});
}

/// The keys of an object that are not in `known`, as a sentence; empty: there are none.
std::string unknown_key(const json& object, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end())
      continue;
    std::string valid;
    for (const auto name : known)
      valid += (valid.empty() ? "" : ", ") + std::string{name};
    return "'" + key.substr(0, 40) + "' is not known here; use " + valid + ".";
  }
  return {};
}

/// A whole number under a key; nothing when it is something else. Absent: 0.
std::optional<std::uint64_t> count_of(const json& object, const char* key, std::uint64_t most) {
  const auto it = object.find(key);
  if (it == object.end())
    return 0;
  if (!it->is_number_integer() || *it < 0 || it->get<std::uint64_t>() > most)
    return std::nullopt;
  return it->get<std::uint64_t>();
}

/// A string under a key; nothing when it is something else. Absent: empty.
std::optional<std::string> string_of(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end())
    return std::string{};
  if (!it->is_string())
    return std::nullopt;
  return it->get<std::string>();
}

result_or<script_step> read_tool(script_step step, const json& tool, const std::string& where) {
  if (!tool.is_object())
    return script_fault(where, "'tool_use' must be {\"name\":…,\"input\":{…}}.");
  if (auto fault = unknown_key(tool, {"name", "input", "id"}); !fault.empty())
    return script_fault(where, fault);
  const auto name = string_of(tool, "name");
  const auto id = string_of(tool, "id");
  if (!name || name->empty() || !id)
    return script_fault(where, "'tool_use' needs a 'name', the name of a tool.");
  step.name = *name;
  step.tool_use_id = *id;
  step.input = tool.value("input", json::object());
  if (!step.input.is_object())
    return script_fault(where, "the 'input' of 'tool_use' must be an object.");
  return step;
}

result_or<script_step> read_event(script_step step, const json& event, const std::string& where) {
  if (!event.is_object())
    return script_fault(where, "'event' must be {\"type\":…,\"payload\":{…}}.");
  if (auto fault = unknown_key(event, {"type", "payload"}); !fault.empty())
    return script_fault(where, fault);
  const auto type = string_of(event, "type");
  if (!type || type->empty() || type->size() > 64)
    return script_fault(where, "'event' needs a 'type' of 1 to 64 characters.");
  if (parse_name<session_event_type>(*type))
    return script_fault(where, "the event type '" + *type +
                                   "' is one of the catalog; a script can send only types that "
                                   "are not, such as 'demo.ping'.");
  step.name = *type;
  step.input = event.value("payload", json::object());
  if (!step.input.is_object())
    return script_fault(where, "the 'payload' of 'event' must be an object.");
  return step;
}

result_or<script_step> read_content(script_step step, const json& value, const json& whole,
                                    const std::string& where) {
  if (step.kind == script_step_kind::tool_use)
    return read_tool(std::move(step), value, where);
  if (step.kind == script_step_kind::event)
    return read_event(std::move(step), value, where);
  if (!value.is_string())
    return script_fault(where, "'text' and 'thinking' must be strings.");
  step.text = value.get<std::string>();
  if (!whole.contains("signature"))
    return step;
  step.signature = string_of(whole, "signature");
  if (!step.signature || step.kind != script_step_kind::thinking)
    return script_fault(where, "'signature' must be a string beside 'thinking'.");
  return step;
}

result_or<script_step> read_step(const json& document, const std::string& where) {
  if (!document.is_object())
    return script_fault(where, "a step must be an object.");
  if (auto fault =
          unknown_key(document, {"delay_ms", "text", "thinking", "signature", "tool_use", "event"});
      !fault.empty())
    return script_fault(where, fault);
  script_step step;
  const auto delay = count_of(document, "delay_ms", most_delay_ms);
  if (!delay)
    return script_fault(where, "'delay_ms' must be a whole number from 0 to 3600000.");
  step.delay_ms = *delay;
  const step_row* found = nullptr;
  for (const auto& row : step_keys) {
    if (!document.contains(row.key))
      continue;
    if (found != nullptr)
      return script_fault(where, "a step holds one of text, thinking, tool_use, event; make two "
                                 "steps of this one.");
    found = &row;
  }
  if (found == nullptr && document.contains("signature"))
    return script_fault(where, "'signature' must be a string beside 'thinking'.");
  if (found == nullptr && !document.contains("delay_ms"))
    return script_fault(where, "a step needs text, thinking, tool_use, event or delay_ms.");
  if (found == nullptr)
    return step;
  step.kind = found->kind;
  return read_content(std::move(step), document[found->key], document, where);
}

result_or<token_usage> read_usage(const json& document, const std::string& where) {
  if (!document.is_object())
    return script_fault(where, "'usage' must be an object of token counts.");
  if (auto fault =
          unknown_key(document, {"input_tokens", "output_tokens", "cache_read_input_tokens",
                                 "cache_creation_input_tokens", "cost_usd"});
      !fault.empty())
    return script_fault(where, fault);
  for (const auto* key :
       {"input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"})
    if (!count_of(document, key, most_tokens))
      return script_fault(where, std::string{"'"} + key + "' must be a whole number.");
  const auto cost = document.find("cost_usd");
  if (cost != document.end() &&
      !(cost->is_null() || (cost->is_number() && cost->get<double>() >= 0)))
    return script_fault(where, "'cost_usd' must be a number or null.");
  return usage_from_json(document);
}

result_or<call_failure> read_error(const json& document, const std::string& where) {
  if (!document.is_object())
    return script_fault(where, "'error' must be {\"status\":429,\"retry_after_ms\":50}.");
  if (auto fault = unknown_key(document, {"status", "retry_after_ms", "message"}); !fault.empty())
    return script_fault(where, fault);
  const auto status = count_of(document, "status", 599);
  if (!status || *status < 400)
    return script_fault(where, "'error' needs a 'status' from 400 to 599.");
  const auto wait = count_of(document, "retry_after_ms", most_delay_ms);
  if (!wait)
    return script_fault(where, "'retry_after_ms' must be a whole number from 0 to 3600000.");
  const auto message = string_of(document, "message");
  if (!message)
    return script_fault(where, "'message' must be a string.");
  auto out = failure_of_status(static_cast<int>(*status));
  if (document.contains("retry_after_ms"))
    out.retry_after_ms = *wait;
  out.message = message->empty()
                    ? "The script says that the provider answers " + std::to_string(*status) + "."
                    : *message;
  return out;
}

result_or<scripted_call> read_steps(const json& document, const std::string& where) {
  scripted_call call;
  const auto steps = document.find("steps");
  if (steps == document.end())
    return call;
  if (!steps->is_array())
    return script_fault(where, "'steps' must be an array.");
  for (std::size_t i = 0; i < steps->size(); ++i) {
    auto step = read_step((*steps)[i], where + "step " + std::to_string(i) + ": ");
    if (!step)
      return tl::unexpected(std::move(step.error()));
    call.steps.push_back(std::move(*step));
  }
  return call;
}

result_or<scripted_call> read_call(const json& document, const std::string& where) {
  if (!document.is_object())
    return script_fault(where, "a call must be an object with steps or error.");
  if (auto fault = unknown_key(document, {"steps", "stop_reason", "usage", "error"});
      !fault.empty())
    return script_fault(where, fault);
  auto call = read_steps(document, where);
  if (!call)
    return call;
  const auto reason = string_of(document, "stop_reason");
  if (!reason || (!reason->empty() && std::find(stop_reasons.begin(), stop_reasons.end(),
                                                *reason) == stop_reasons.end()))
    return script_fault(
        where, "'stop_reason' must be one of end_turn, max_tokens, stop_sequence, tool_use.");
  call->stop_reason = *reason;
  if (document.contains("usage")) {
    auto usage = read_usage(document["usage"], where);
    if (!usage)
      return tl::unexpected(std::move(usage.error()));
    call->usage = *usage;
  }
  if (!document.contains("error"))
    return call;
  auto error = read_error(document["error"], where);
  if (!error)
    return tl::unexpected(std::move(error.error()));
  call->error = std::move(*error);
  return call;
}

} // namespace

result_or<model_script> read_model_script(const json& document) {
  const std::string begin = "The script: ";
  if (!document.is_object() || !document.contains("calls") || !document["calls"].is_array())
    return script_fault(begin, "it must be {\"calls\":[{\"steps\":[{\"text\":\"…\"}]}]}, with one "
                               "call for each time that the model is asked.");
  if (auto fault = unknown_key(document, {"calls"}); !fault.empty())
    return script_fault(begin, fault);
  model_script out;
  const auto& calls = document["calls"];
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto call = read_call(calls[i], "The script, call " + std::to_string(i) + ": ");
    if (!call)
      return tl::unexpected(std::move(call.error()));
    out.calls.push_back(std::move(*call));
  }
  return out;
}

} // namespace gasoline
