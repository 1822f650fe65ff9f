#include "tools/hook/hook_payload.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;

/// Where a value of a payload goes.
enum class field : std::uint8_t {
  none,
  event,
  conversation,
  directory,
  source,
  tool,
  continues,
  is_cline,
  is_cursor,
  cline_event
};

struct field_row {
  std::string_view path; ///< keys joined by dots; elements of an array have the key `[]`
  field meaning;
};

constexpr std::array<field_row, 23> fields{{
    {"hook_event_name", field::event},
    {"session_id", field::conversation},
    {"sessionId", field::conversation},
    {"sessionID", field::conversation},
    {"conversation_id", field::conversation},
    {"taskId", field::conversation},
    {"cwd", field::directory},
    {"directory", field::directory},
    {"workspaceRoots.[]", field::directory},
    {"workspace_roots.[]", field::directory},
    {"source", field::source},
    {"tool_name", field::tool},
    {"toolName", field::tool},
    {"tool", field::tool},
    {"tool_calls.[].tool_name", field::tool},
    {"mcp_context.tool_name", field::tool},
    {"postToolUse.toolName", field::tool},
    {"tool_result.name", field::tool},
    {"stop_hook_active", field::continues},
    {"loop_count", field::continues},
    {"clineVersion", field::is_cline},
    {"cursor_version", field::is_cursor},
    {"postToolUse", field::cline_event},
}};

field meaning_of(std::string_view path) {
  for (const auto& row : fields)
    if (row.path == path)
      return row.meaning;
  return field::none;
}

/// Keeps the first value of each field, without building the document.
class payload_reader : public nlohmann::json_sax<json> {
 public:
  hook_payload take() { return std::move(out_); }
  bool is_object() const { return is_object_; }

  bool null() override { return true; }
  bool boolean(bool value) override {
    if (meaning() == field::continues && value)
      out_.continues = true;
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(value > 0); }
  bool number_unsigned(number_unsigned_t value) override { return number(value > 0); }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool string(string_t& value) override {
    switch (meaning()) {
    case field::event:
      return keep(out_.event, value);
    case field::conversation:
      return keep(out_.conversation, value);
    case field::directory:
      return keep(out_.directory, value);
    case field::source:
      return keep(out_.source, value);
    case field::tool:
      out_.own_tool = out_.own_tool || is_own_observe(value);
      return true;
    case field::is_cline:
      return keep(out_.client, "cline");
    case field::is_cursor:
      return keep(out_.client, "cursor");
    case field::none:
    case field::continues:
    case field::cline_event:
      return true;
    }
    return true;
  }

  bool start_object(std::size_t) override {
    is_object_ = is_object_ || path_.empty();
    if (meaning() == field::cline_event)
      keep(out_.event, "PostToolUse");
    path_.emplace_back();
    return true;
  }
  bool key(string_t& name) override {
    path_.back() = path_.size() > deepest ? std::string{} : name;
    return true;
  }
  bool end_object() override {
    path_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    path_.emplace_back("[]");
    return true;
  }
  bool end_array() override {
    path_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  static constexpr std::size_t deepest = 3; ///< of the paths in the table

  field meaning() const {
    if (path_.empty() || path_.size() > deepest)
      return field::none;
    std::string path;
    for (const auto& key : path_)
      path += (path.empty() ? "" : ".") + key;
    return meaning_of(path);
  }

  bool number(bool positive) {
    if (meaning() == field::continues && positive)
      out_.continues = true;
    return true;
  }

  static bool keep(std::string& into, std::string_view value) {
    if (into.empty())
      into = value;
    return true;
  }

  hook_payload out_;
  std::vector<std::string> path_;
  bool is_object_ = false;
};

} // namespace

bool is_own_observe(std::string_view tool) {
  constexpr std::string_view name = "observe";
  if (tool.size() < name.size() || tool.substr(tool.size() - name.size()) != name)
    return false;
  const auto before = tool.substr(0, tool.size() - name.size());
  return before.empty() || std::string_view{"_-/."}.find(before.back()) != std::string_view::npos;
}

std::optional<hook_payload> parse_hook_payload(std::string_view text) {
  payload_reader reader;
  if (!json::sax_parse(text, &reader) || !reader.is_object())
    return std::nullopt;
  return reader.take();
}

} // namespace gasoline
