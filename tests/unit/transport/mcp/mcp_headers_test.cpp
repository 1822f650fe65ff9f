#include "transport/json_rpc.hpp"
#include "transport/mcp/mcp_headers.hpp"
#include "transport/mcp/mcp_session_id.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;
using nlohmann::json;

namespace {

using header_list = std::vector<std::pair<std::string_view, std::string_view>>;

http_request_view head_of(header_list fields) {
  http_request_view out;
  out.method = "POST";
  out.fields = std::move(fields);
  return out;
}

json modern_params(json rest = json::object()) {
  rest["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                   {"io.modelcontextprotocol/clientCapabilities", json::object()}};
  return rest;
}

header_list modern_fields(std::string_view method) {
  return {{"mcp-protocol-version", "2026-07-28"}, {"MCP-METHOD", method}};
}

std::int32_t code_of(const std::optional<mcp_refusal>& why) {
  return why ? static_cast<std::int32_t>(why->code) : 0;
}

std::int32_t check(const http_request_view& head, const std::string& method, const json& params) {
  return code_of(check_modern_request(head, {1, method, params}));
}

} // namespace

TEST_CASE("Accept: names, wildcards and refusals") {
  CHECK(accepts("application/json, text/event-stream", "text/event-stream"));
  CHECK(accepts("Text/Event-Stream;q=0.5", "text/event-stream"));
  CHECK(accepts("*/*", "application/json"));
  CHECK(accepts("text/*", "text/event-stream"));
  CHECK(!accepts("text/*", "application/json"));
  CHECK(!accepts("", "application/json"));
  CHECK(!accepts("application/json;q=0", "application/json"));
  CHECK(!accepts("application/json;q=0.000", "application/json"));
  CHECK(!accepts("application/jsonp", "application/json"));
  CHECK(!accepts(",,;,", "application/json"));
}

TEST_CASE("Content-Type of MCP bodies") {
  CHECK(is_json_type("application/json; charset=utf-8"));
  CHECK(is_json_type("Application/JSON"));
  CHECK(!is_json_type("text/plain"));
  CHECK(!is_json_type(""));
}

TEST_CASE("header values: plain, or strict base64 between the markers") {
  CHECK(decode_header_value("plain") == "plain");
  CHECK(decode_header_value("=?base64?SGVsbG8=?=") == "Hello");
  CHECK(decode_header_value("=?base64?"
                            "?=") == "");
  CHECK(decode_header_value("=?base64?SGVsbG8=") == "=?base64?SGVsbG8=");
  CHECK(decode_header_value("SGVsbG8=?=") == "SGVsbG8=?=");
  CHECK(!decode_header_value("=?base64?SGVsbG8?="));   // padding is missing
  CHECK(!decode_header_value("=?base64?SGVsbG9=?="));  // bits are left over
  CHECK(!decode_header_value("=?base64?SGVs bG8=?=")); // blank inside
  CHECK(!decode_header_value("=?base64?SGVs-G8_?="));  // the other alphabet
  CHECK(!decode_header_value("=?base64?====?="));
  CHECK(!decode_header_value("gr\xC3\xBC\xC3\x9F"));
}

TEST_CASE("a modern request is checked in the order of the revision") {
  const auto fields = modern_fields("tools/list");
  CHECK(check(head_of(fields), "tools/list", modern_params()) == 0);
  CHECK(check(head_of({}), "tools/list", nullptr) == -32602);
  auto no_capabilities = modern_params();
  no_capabilities["_meta"].erase("io.modelcontextprotocol/clientCapabilities");
  CHECK(check(head_of(fields), "tools/list", no_capabilities) == -32602);
  CHECK(check(head_of({}), "tools/list", modern_params()) == -32020);
  CHECK(check(head_of({{"MCP-Protocol-Version", "2025-11-25"}}), "tools/list", modern_params()) ==
        -32020);
  CHECK(check(head_of({{"MCP-Protocol-Version", "2026-07-28"}}), "tools/list", modern_params()) ==
        -32020); // Mcp-Method is missing
  CHECK(check(head_of(modern_fields("Tools/List")), "tools/list", modern_params()) == -32020);
}

TEST_CASE("an unknown version, legacy names included, lists those that are supported") {
  for (const char* version : {"v999.0.0", "2025-11-25"}) {
    auto params = modern_params();
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version;
    const auto why = check_modern_request(head_of({{"MCP-Protocol-Version", version}}),
                                          {1, "tools/list", params});
    REQUIRE(why);
    CHECK(why->code == rpc_code::version_unsupported);
    CHECK(why->status == 400);
    CHECK(why->data == json{{"supported", {"2026-07-28"}}, {"requested", version}});
  }
}

TEST_CASE("Mcp-Name repeats the name or URI") {
  auto fields = modern_fields("tools/call");
  const auto params = modern_params({{"name", "observe"}});
  CHECK(check(head_of(fields), "tools/call", params) == -32020);
  fields.emplace_back("Mcp-Name", "observe");
  CHECK(check(head_of(fields), "tools/call", params) == 0);
  fields.emplace_back("Mcp-Name", "configure"); // twice
  CHECK(check(head_of(fields), "tools/call", params) == -32020);
  fields = modern_fields("resources/read");
  fields.emplace_back("Mcp-Name", "=?base64?Z2Fzb2xpbmU6Ly9ndWlkZQ==?=");
  CHECK(check(head_of(fields), "resources/read", modern_params({{"uri", "gasoline://guide"}})) ==
        0);
  CHECK(check(head_of(fields), "resources/read", modern_params({{"uri", "gasoline://Guide"}})) ==
        -32020);
}

TEST_CASE("x-mcp-header properties are found through properties only") {
  const json schema = {
      {"properties",
       {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}},
        {"options",
         {{"properties", {{"depth", {{"type", "integer"}, {"x-mcp-header", "Depth"}}}}}}},
        {"list", {{"items", {{"x-mcp-header", "No"}}}}}}}};
  const auto found = header_parameters_of(schema);
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "Depth");
  CHECK(found[0].path == std::vector<std::string>{"options", "depth"});
  CHECK(found[1].name == "Region");
}

TEST_CASE("Mcp-Param headers say what the arguments say") {
  const std::vector<header_parameter> declared{{"Region", {"region"}}, {"Depth", {"o", "depth"}}};
  const auto code = [&](const json& arguments, header_list fields) {
    return code_of(check_header_parameters(
        head_of(std::move(fields)), {1, "tools/call", {{"arguments", arguments}}}, declared));
  };
  CHECK(code(json::object(), {}) == 0);
  CHECK(code({{"region", nullptr}}, {}) == 0);
  CHECK(code({{"region", "eu"}}, {{"mcp-param-region", "eu"}}) == 0);
  CHECK(code({{"region", "eu"}}, {}) == -32020);
  CHECK(code({{"region", "eu"}}, {{"Mcp-Param-Region", "us"}}) == -32020);
  CHECK(code(json::object(), {{"Mcp-Param-Region", "eu"}}) == -32020);
  CHECK(code({{"region", "Größe"}}, {{"Mcp-Param-Region", "=?base64?R3LDtsOfZQ==?="}}) == 0);
  CHECK(code({{"o", {{"depth", 42}}}}, {{"Mcp-Param-Depth", "42"}}) == 0);
  CHECK(code({{"o", {{"depth", 42}}}}, {{"Mcp-Param-Depth", "42.0"}}) == 0);
  CHECK(code({{"o", {{"depth", -42}}}}, {{"Mcp-Param-Depth", "-42"}}) == 0);
  CHECK(code({{"o", {{"depth", 42}}}}, {{"Mcp-Param-Depth", "43"}}) == -32020);
  CHECK(code({{"o", {{"depth", 42}}}}, {{"Mcp-Param-Depth", "0x2A"}}) == -32020);
  CHECK(code({{"o", {{"depth", true}}}}, {{"Mcp-Param-Depth", "true"}}) == 0);
  CHECK(code({{"o", {{"depth", json::object()}}}}, {{"Mcp-Param-Depth", "{}"}}) == -32020);
}

TEST_CASE("the era of a message") {
  const limits limit;
  const auto era = [&](header_list fields, const json& body) {
    return era_of(head_of(std::move(fields)), decode_rpc(body.dump(), limit));
  };
  const auto call = [](const char* method, const json& params) {
    return json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}};
  };
  const header_list modern{{"MCP-Protocol-Version", "2026-07-28"}};
  const json note{{"jsonrpc", "2.0"}, {"method", "notifications/x"}};
  CHECK(era({}, call("tools/list", json::object())) == mcp_era::legacy);
  CHECK(era({}, call("tools/list", modern_params())) == mcp_era::modern);
  CHECK(era(modern, call("tools/list", json::object())) == mcp_era::modern);
  CHECK(era(modern, call("initialize", json::object())) == mcp_era::legacy);
  CHECK(era({}, call("initialize", modern_params())) == mcp_era::modern);
  CHECK(era(modern, note) == mcp_era::modern);
  CHECK(era({}, note) == mcp_era::legacy);
  // Legacy requests have a _meta too.
  CHECK(era({}, call("tools/list", {{"_meta", {{"progressToken", 1}}}})) == mcp_era::legacy);
}

TEST_CASE("clients without session are told apart by header, then by their info") {
  auto params = modern_params();
  CHECK(client_identity(head_of({}), params) == "anonymous");
  params["_meta"]["io.modelcontextprotocol/clientInfo"] = {{"name", "a"}, {"version", "1"}};
  CHECK(client_identity(head_of({}), params) == "info a 1");
  CHECK(client_identity(head_of({{"x-gasoline-client", "a"}}), params) == "header a");
}

TEST_CASE("session ids are random UUIDs of version 4") {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto id = make_mcp_session_id();
    REQUIRE(id.size() == 36);
    CHECK(id[14] == '4');
    CHECK(std::string{"89ab"}.find(id[19]) != std::string::npos);
    CHECK(seen.insert(id).second);
  }
}
