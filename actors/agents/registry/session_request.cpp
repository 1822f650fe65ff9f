#include "actors/agents/registry/session_request.hpp"

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view default_provider = "scripted";

tl::unexpected<session_answer> bad_request(std::string message) {
  return tl::make_unexpected(
      session_error(session_status::bad_request, "invalid_session", std::move(message)));
}

tl::unexpected<session_answer> too_long(std::string_view key, std::uint64_t most) {
  return tl::make_unexpected(session_error(session_status::too_large, "field_too_long",
                                           "'" + std::string{key} + "' has at most " +
                                               std::to_string(most) + " bytes; shorten it."));
}

tl::unexpected<session_answer> token_needed(std::string what) {
  return tl::make_unexpected(
      session_error(session_status::unauthorized, "token_needed",
                    std::move(what) + ": send 'Authorization: Bearer …' with what is in the file "
                                      "'token' of the state directory."));
}

bool is_given(const json& body, const char* key) {
  const auto it = body.find(key);
  return it != body.end() && !it->is_null();
}

/// The string under that key; empty when there is none; an error when it is something else.
result_or<std::string> text_of(const json& body, const char* key) {
  const auto it = body.find(key);
  if (it == body.end() || it->is_null())
    return std::string{};
  if (!it->is_string())
    return tl::make_unexpected(user_error{std::string{"'"} + key + "' must be a string."});
  return it->get<std::string>();
}

result_or<std::vector<std::string>> tools_of(const json& body) {
  std::vector<std::string> tools;
  const auto it = body.find("tools");
  if (it == body.end() || it->is_null())
    return tools;
  const user_error wrong{"'tools' must be an array of tool names."};
  if (!it->is_array())
    return tl::make_unexpected(wrong);
  for (const auto& name : *it) {
    if (!name.is_string())
      return tl::make_unexpected(wrong);
    tools.push_back(name.get<std::string>());
  }
  return tools;
}

/// Tools whose calls nobody is asked about: `{"permissions":{"shell":"allow"}}`.
result_or<std::vector<std::string>> grants_of(const json& body,
                                              const std::vector<std::string>& tools) {
  std::vector<std::string> grants;
  const auto it = body.find("permissions");
  if (it == body.end() || it->is_null())
    return grants;
  const user_error wrong{"'permissions' must be an object of this session's tools with \"ask\" or "
                         "\"allow\"."};
  if (!it->is_object())
    return tl::make_unexpected(wrong);
  for (const auto& [tool, choice] : it->items()) {
    if (std::find(tools.begin(), tools.end(), tool) == tools.end() ||
        (choice != "ask" && choice != "allow"))
      return tl::make_unexpected(wrong);
    if (choice == "allow")
      grants.push_back(tool);
  }
  return grants;
}

/// `PROVIDER:MODEL` out of the two fields; `model` may hold both.
std::string model_of(const std::string& provider, const std::string& model) {
  if (!provider.empty())
    return provider + ":" + (model.empty() ? provider : model);
  if (model.find(':') != std::string::npos)
    return model;
  return std::string{default_provider} + ":" +
         (model.empty() ? std::string{default_provider} : model);
}

} // namespace

tl::expected<session_summary, session_answer>
read_session_request(const json& body, bool trusted, const session_services& services,
                     const limits_of<session_room>& limit) {
  if (!body.is_object())
    return bad_request("The body must be an object with workspace_path, model, provider.");
  session_summary session;
  std::string provider;
  std::string model;
  std::string system;
  const std::pair<const char*, std::string*> texts[] = {{"workspace_path", &session.workspace_path},
                                                        {"provider", &provider},
                                                        {"model", &model},
                                                        {"system", &system},
                                                        {"page_url", &session.page_url}};
  for (const auto& [key, target] : texts) {
    auto text = text_of(body, key);
    if (!text)
      return bad_request(std::move(text.error().message));
    const auto most = target == &system ? limit.session.prompt_bytes : limit.session.field_bytes;
    if (text->size() > most)
      return too_long(key, most);
    *target = std::move(*text);
  }
  session.system_prompt = std::move(system);
  if (session.workspace_path.empty())
    return bad_request(
        "'workspace_path' is missing; give the directory that the session is about.");
  session.active_model = model_of(provider, model);
  const auto colon = session.active_model.find(':');
  if (auto fault = services.model_fault(session.active_model.substr(0, colon),
                                        session.active_model.substr(colon + 1)))
    return bad_request(std::move(*fault));
  if (!trusted && services.costs && services.costs(session.active_model.substr(0, colon)))
    return token_needed("A session whose model is asked with the owner's key needs the token");
  auto tools = tools_of(body);
  if (!tools)
    return bad_request(std::move(tools.error().message));
  if (auto fault = services.tool_fault(*tools, trusted))
    return tl::make_unexpected(std::move(*fault));
  session.tools = std::move(*tools);
  auto grants = grants_of(body, session.tools);
  if (!grants)
    return bad_request(std::move(grants.error().message));
  if (!grants->empty() && !trusted)
    return token_needed("Permissions are given by who has the token");
  session.grants = std::move(*grants);
  if (!trusted && is_given(body, "script_path"))
    return token_needed("A script in a file of the engine's user needs the token");
  auto script = services.script_of(body);
  if (!script)
    return bad_request(std::move(script.error().message));
  session.script = std::move(*script);
  return session;
}

std::uint64_t session_text_bytes(const session_summary& session) {
  std::uint64_t out = session.workspace_path.size() + session.page_url.size() +
                      session.active_model.size() + session.system_prompt.size() +
                      session.script.size();
  for (const auto& tool : session.tools)
    out += tool.size();
  return out;
}

} // namespace gasoline
