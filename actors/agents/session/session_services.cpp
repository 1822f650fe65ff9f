#include "actors/agents/session/session_services.hpp"

#include "actors/agents/providers/model_provider.hpp"
#include "actors/agents/providers/model_script.hpp"
#include "actors/agents/providers/scripted_provider.hpp"
#include "actors/agents/tools/blocking_tool.hpp"
#include "actors/agents/tools/engine_clients.hpp"
#include "actors/agents/tools/list_files_tool.hpp"
#include "actors/agents/tools/read_file_tool.hpp"
#include "actors/agents/tools/shell_run.hpp"
#include "actors/agents/tools/workspace.hpp"
#include "actors/agents/turn/delegate_run.hpp"
#include "actors/agents/turn/permission_rules.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"
#include "config/trusted_file.hpp"
#include "messages/base/identity/random_bytes.hpp"
#include "messages/base/json/json_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// The provider that is always there.
constexpr std::string_view scripted = "scripted";

/// What a tool of a session is.
enum class tool_kind : std::uint8_t { read_file, list_files, shell, delegate, engine };

/// One tool that sessions can have.
struct session_tool {
  tool_kind kind = tool_kind::engine;
  bool needs_token = false; ///< it reaches the user's files
  model_tool shown;
};

/// What the functions of one `session_services` share; never changed but for the links.
struct service_parts {
  session_services_setup setup;
  std::vector<session_tool> tools;
  engine_clients_actor clients;

  const session_tool* find_tool(std::string_view name) const {
    const auto it = std::find_if(tools.begin(), tools.end(),
                                 [&](const session_tool& tool) { return tool.shown.name == name; });
    return it == tools.end() ? nullptr : &*it;
  }
};

using parts_ptr = std::shared_ptr<const service_parts>;

std::vector<session_tool> all_tools(const settings& config, const mcp_registry& offers) {
  std::vector<session_tool> out{
      {tool_kind::read_file, true, read_file_tool(config.limit)},
      {tool_kind::list_files, true, list_files_tool()},
      {tool_kind::shell, true, shell_tool(config.limit)},
      {tool_kind::delegate, false, delegate_tool()},
  };
  for (const auto& tool : offers.tools)
    if (config.has_toolset(tool.shown.toolset))
      out.push_back({tool_kind::engine,
                     false,
                     {std::string{tool.shown.name}, std::string{tool.shown.description},
                      tool.shown.input_schema}});
  return out;
}

template <class Names>
std::string listed_names(const Names& names) {
  std::string out;
  for (const auto& name : names)
    out += (out.empty() ? "" : ", ") + std::string{name};
  return out;
}

std::string tool_names(const service_parts& parts) {
  std::vector<std::string> names;
  for (const auto& tool : parts.tools)
    if (tool.kind != tool_kind::shell || parts.setup.config.sessions.allow_shell)
      names.push_back(tool.shown.name);
  return listed_names(names);
}

std::optional<session_answer> fault_of_tool(const service_parts& parts, const std::string& name,
                                            bool trusted) {
  const auto* tool = parts.find_tool(name);
  if (tool == nullptr)
    return session_error(session_status::bad_request, "unknown_tool",
                         "There is no tool '" + name.substr(0, 80) + "'; there are " +
                             tool_names(parts) + ".");
  if (tool->kind == tool_kind::shell && !parts.setup.config.sessions.allow_shell)
    return session_error(session_status::bad_request, "shell_not_allowed",
                         "The tool 'shell' is off; the owner of this engine turns it on with "
                         "\"sessions\":{\"allow_shell\":true} in the configuration file.");
  if (tool->needs_token && !trusted)
    return session_error(session_status::unauthorized, "token_needed",
                         "The tool '" + name +
                             "' reaches this user's files, so the session needs the token: send "
                             "'Authorization: Bearer …' with what is in the file 'token' of the "
                             "state directory.");
  return std::nullopt;
}

std::optional<session_answer> fault_of_tools(const service_parts& parts,
                                             const std::vector<std::string>& tools, bool trusted) {
  for (const auto& name : tools)
    if (auto fault = fault_of_tool(parts, name, trusted))
      return fault;
  return std::nullopt;
}

std::vector<model_tool> shown_tools(const service_parts& parts,
                                    const std::vector<std::string>& names) {
  std::vector<model_tool> out;
  for (const auto& tool : parts.tools)
    if (std::find(names.begin(), names.end(), tool.shown.name) != names.end())
      out.push_back(tool.shown);
  return out;
}

tool_run_actor refuse_tool(const service_parts& parts, const tool_request& request,
                           path_fault fault, const turn_actor& turn) {
  return ended_tool(*parts.setup.system, request.tool_use_id, outcome_of(std::move(fault)), turn);
}

tool_run_actor run_file_tool(const service_parts& parts, const tool_request_ptr& request,
                             tool_outcome (*work)(const tool_request&,
                                                  const limits_of<session_room>&),
                             const turn_actor& turn) {
  blocking_tool_setup setup;
  setup.tool_use_id = request->tool_use_id;
  setup.turn = turn;
  setup.detached = parts.setup.detached;
  setup.work = [request, work, limit = parts.setup.config.limit,
                redaction = parts.setup.redaction] {
    auto outcome = work(*request, limit);
    outcome.text = redaction->text(outcome.text).str();
    return outcome;
  };
  return blocking_tool(*parts.setup.system, std::move(setup));
}

tool_run_actor run_delegate(const service_parts& parts, const tool_request_ptr& request,
                            const turn_actor& turn) {
  const auto& links = parts.setup.links;
  if (!links || !links->registry)
    return refuse_tool(parts, *request, {"denied", "There are no worker sessions here."}, turn);
  return delegate_run(*parts.setup.system, {links->registry, turn, *request});
}

tool_run_actor run_engine_tool_of(const service_parts& parts, const tool_request_ptr& request,
                                  const turn_actor& turn) {
  const auto& links = parts.setup.links;
  if (!links || !links->engine)
    return refuse_tool(parts, *request, {"denied", "There is no engine with tools here."}, turn);
  return engine_tool(*parts.setup.system,
                     {request, turn, links->engine, parts.clients, parts.setup.redaction});
}

tool_run_actor start_known_tool(const service_parts& parts, tool_kind kind,
                                const tool_request_ptr& request, const turn_actor& turn) {
  const auto& setup = parts.setup;
  switch (kind) {
  case tool_kind::read_file:
    return run_file_tool(parts, request, read_file, turn);
  case tool_kind::list_files:
    return run_file_tool(parts, request, list_files, turn);
  case tool_kind::shell:
    return shell_run(*setup.system, {request, turn, setup.redaction, setup.config.limit});
  case tool_kind::delegate:
    return run_delegate(parts, request, turn);
  case tool_kind::engine:
    break;
  }
  return run_engine_tool_of(parts, request, turn);
}

/// A model can name anything, and a stored session can have what the settings no longer allow.
tool_run_actor start_session_tool(const service_parts& parts, const tool_request_ptr& request,
                                  const session_summary& session, const turn_actor& turn) {
  const auto& name = request->tool_name;
  const auto* tool = parts.find_tool(name);
  const auto& given = session.tools;
  if (tool == nullptr || std::find(given.begin(), given.end(), name) == given.end())
    return refuse_tool(
        parts, *request,
        {"unknown_tool",
         "This session has no tool '" + name.substr(0, 80) + "'; " +
             (given.empty() ? "it has none." : "it has " + listed_names(given) + ".")},
        turn);
  if (auto fault = fault_of_tool(parts, name, true))
    return refuse_tool(parts, *request,
                       {"denied", fault->body["error"]["message"].get<std::string>()}, turn);
  return start_known_tool(parts, tool->kind, request, turn);
}

constexpr std::size_t most_model_bytes = 200;

/// The key to send; empty when the server is not the service itself and there is none.
result_or<std::string> key_for(const service_parts& parts, const provider_row& row) {
  const auto& where = parts.setup.config.sessions.*(row.settings);
  auto key = parts.setup.key_of ? parts.setup.key_of(row.name) : std::string{};
  if (!key || !key->empty() || where.base_url != row.home)
    return key;
  return tl::unexpected(user_error{"There is no key for the provider '" + std::string{row.name} +
                                   "'; set " + std::string{row.key_variable} +
                                   " in the environment of the engine, or name a file with "
                                   "sessions.providers." +
                                   std::string{row.name} + ".key_file in its configuration."});
}

std::optional<std::string> fault_of_name(std::string_view model) {
  const bool plain = std::all_of(model.begin(), model.end(),
                                 [](unsigned char c) { return c > 0x20 && c != 0x7F; });
  if (plain && model.size() <= most_model_bytes)
    return std::nullopt;
  return "The name of a model has up to " + std::to_string(most_model_bytes) +
         " characters, and no spaces.";
}

/// Why no such model can be asked, whatever its key.
std::optional<std::string> fault_of_target(const service_parts& parts, std::string_view provider,
                                           std::string_view model) {
  if (provider == scripted)
    return fault_of_name(model);
  const auto* row = find_provider(provider);
  if (row == nullptr || !parts.setup.http)
    return "There is no provider '" + std::string{provider.substr(0, 80)} + "' here; use " +
           std::string{scripted} + (parts.setup.http ? ", " + provider_names() : "") + ".";
  if (model.empty() || model == provider)
    return "'model' is missing; name a model of the provider '" + std::string{provider} + "'.";
  return fault_of_name(model);
}

std::optional<std::string> fault_of_model(const service_parts& parts, std::string_view provider,
                                          std::string_view model) {
  auto fault = fault_of_target(parts, provider, model);
  if (fault || provider == scripted)
    return fault;
  if (auto key = key_for(parts, *find_provider(provider)); !key)
    return std::move(key.error().message);
  return std::nullopt;
}

provider_actor refuse_call(const service_parts& parts, std::string error_class,
                           std::string sentence, const turn_actor& turn) {
  call_failure failure;
  failure.error_class = std::move(error_class);
  failure.message = std::move(sentence);
  return failed_provider(*parts.setup.system, std::move(failure), turn);
}

/// Worker sessions name their model themselves, and keys can go: both are looked at again.
provider_actor start_provider(const service_parts& parts, std::string_view provider,
                              const model_call_ptr& call, const turn_actor& turn) {
  const auto& setup = parts.setup;
  if (auto fault = fault_of_target(parts, provider, call->model))
    return refuse_call(parts, "invalid_request", std::move(*fault), turn);
  if (provider == scripted)
    return scripted_provider(*setup.system, call, turn);
  model_provider_setup made;
  made.provider = find_provider(provider);
  auto key = key_for(parts, *made.provider);
  if (!key)
    return refuse_call(parts, "authentication", std::move(key.error().message), turn);
  made.where = setup.config.sessions.*(made.provider->settings);
  made.key = std::move(*key);
  made.call = call;
  made.turn = turn;
  made.http = setup.http;
  made.redaction = setup.redaction;
  made.clock = setup.clock;
  made.limit = setup.config.limit;
  return model_provider(*setup.system, std::move(made));
}

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (!fill_random(std::as_writable_bytes(std::span{&bits, 1})))
    throw std::runtime_error("the system gives no random bytes");
  return bits;
}

/// Reads a whole file; FIFOs and devices are refused unread.
result_or<std::string> read_script_file(const std::string& path, std::uint64_t most_bytes) {
  const auto refuse_file = [&](const std::string& why) {
    return tl::unexpected(user_error{"'script_path' " + path.substr(0, 200) + " " + why});
  };
  const file_descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
  struct stat about {};
  if (!file || ::fstat(file.get(), &about) != 0)
    return refuse_file("cannot be read: " + std::generic_category().message(errno) + ".");
  if (!S_ISREG(about.st_mode))
    return refuse_file("is no regular file.");
  if (const auto problem = order_problem(about))
    return refuse_file(*problem + ".");
  std::string text(static_cast<std::size_t>(most_bytes) + 1, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto n = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (n < 0 && errno != EINTR)
      return refuse_file("cannot be read: " + std::generic_category().message(errno) + ".");
    if (n == 0)
      break;
    filled += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  }
  text.resize(filled);
  return text;
}

result_or<std::string> checked_script(const json& script, std::uint64_t most_bytes) {
  auto text = dumped(script);
  if (text.size() > most_bytes)
    return tl::unexpected(user_error{"The script is longer than " + std::to_string(most_bytes) +
                                     " bytes (limits.session_script_bytes)."});
  if (auto read = read_model_script(script); !read)
    return tl::unexpected(std::move(read.error()));
  return text;
}

result_or<std::string> script_in(const json& body,
                                 const limits_of<ingest_room, session_room>& limit) {
  const auto most_bytes = limit.session.script_bytes;
  const auto script = body.find("script");
  const auto path = body.find("script_path");
  const bool has_script = script != body.end() && !script->is_null();
  const bool has_path = path != body.end() && !path->is_null();
  if (!has_script && !has_path)
    return std::string{};
  if (has_script && has_path)
    return tl::unexpected(user_error{"Give 'script' or 'script_path', not both."});
  if (has_script)
    return checked_script(*script, most_bytes);
  if (!path->is_string() || path->get_ref<const std::string&>().empty() ||
      path->get_ref<const std::string&>().find('\0') != std::string::npos)
    return tl::unexpected(user_error{"'script_path' must be the path of a file."});
  const auto text = read_script_file(path->get<std::string>(), most_bytes);
  if (!text)
    return tl::unexpected(text.error());
  if (text->size() > most_bytes)
    return tl::unexpected(user_error{"The file of 'script_path' is longer than " +
                                     std::to_string(most_bytes) +
                                     " bytes (limits.session_script_bytes)."});
  if (json_nesting(*text) > limit.ingest.json_depth)
    return tl::unexpected(user_error{"The file of 'script_path' nests deeper than " +
                                     std::to_string(limit.ingest.json_depth) + " levels."});
  const auto document = json::parse(*text, nullptr, false);
  if (document.is_discarded())
    return tl::unexpected(user_error{"The file of 'script_path' is no JSON."});
  if (auto script = checked_script(document, limit.session.script_bytes))
    return script;
  // What is wrong with it would tell what stands in it.
  return tl::unexpected(user_error{"The file of 'script_path' is no script; give it as 'script' to "
                                   "hear what is wrong with it."});
}

} // namespace

std::shared_ptr<session_services> make_session_services(session_services_setup setup) {
  auto made = std::make_shared<service_parts>();
  made->tools = all_tools(setup.config, *setup.offers);
  // Hidden: it does nothing by itself, so nobody has to end it before the system can end.
  made->clients = setup.system->spawn<caf::hidden>(engine_clients, setup.config.limit);
  made->setup = std::move(setup);
  const parts_ptr parts = made;
  auto services = std::make_shared<session_services>();
  services->model_fault = [parts](std::string_view provider, std::string_view model) {
    return fault_of_model(*parts, provider, model);
  };
  services->costs = [parts](std::string_view provider) {
    const auto& setup = parts->setup;
    const auto* row = find_provider(provider);
    if (row == nullptr)
      return false;
    if (!(setup.config.sessions.*(row->settings)).key_file.empty())
      return true; // it need not be read for that
    return setup.key_of && !setup.key_of(provider).value_or("").empty();
  };
  services->start_model = [parts](std::string_view provider, const model_call_ptr& call,
                                  const turn_actor& turn) {
    return start_provider(*parts, provider, call, turn);
  };
  services->tool_fault = [parts](const std::vector<std::string>& tools, bool trusted) {
    return fault_of_tools(*parts, tools, trusted);
  };
  services->tools_of = [parts](const std::vector<std::string>& tools) {
    return shown_tools(*parts, tools);
  };
  services->start_tool = [parts](const tool_request_ptr& request, const session_summary& session,
                                 const turn_actor& turn) {
    return start_session_tool(*parts, request, session, turn);
  };
  services->permission_of = [parts](const tool_request& request, const session_summary& session) {
    return verdict_of(parts->setup.config.sessions, request, session);
  };
  services->price_of = [parts](std::string_view model) {
    return price_of(parts->setup.config.sessions, model);
  };
  services->session_ended = [parts](const agent_session_id& session_id) {
    caf::anon_send(parts->clients, leave_atom_v, session_id);
  };
  services->script_of = [parts](const json& body) {
    return script_in(body, parts->setup.config.limit);
  };
  services->masked = [parts](const json& answer) {
    const auto& redaction = *parts->setup.redaction;
    if (answer.is_string())
      return json(redaction.text(answer.get<std::string>()).str());
    return json::parse(redaction.json_value(dumped(answer)).view(), nullptr, false);
  };
  const auto& limit = made->setup.config.limit.session;
  services->answers = std::make_shared<byte_budget>(limit.answers_bytes);
  services->turns = std::make_shared<byte_budget>(limit.turns_bytes);
  services->clock = made->setup.clock;
  services->random = random_bits;
  return services;
}

} // namespace gasoline
