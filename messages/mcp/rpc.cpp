#include "messages/mcp/rpc.hpp"

#include "messages/base/json/json_text.hpp"

namespace gasoline {
namespace {} // namespace

std::string result_text(const nlohmann::json& id, const nlohmann::json& result) {
  std::string out;
  json_object_writer w{out};
  w.text("jsonrpc", "2.0").raw("id", dumped(id)).raw("result", dumped(result)).close();
  return out;
}

std::string error_text(const nlohmann::json& id, rpc_code code, const std::string& message,
                       const nlohmann::json& data) {
  nlohmann::json error{{"code", static_cast<std::int32_t>(code)}, {"message", message}};
  if (!data.is_null())
    error["data"] = data;
  std::string out;
  json_object_writer w{out};
  w.text("jsonrpc", "2.0").raw("id", dumped(id)).raw("error", dumped(error)).close();
  return out;
}

} // namespace gasoline
