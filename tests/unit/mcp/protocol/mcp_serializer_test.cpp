#include "actors/mcp/protocol/connection_era.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using nlohmann::json;

TEST_CASE("legacy results leave as they are; modern ones are stamped") {
  const json result{{"tools", json::array()}};
  for (const auto& row : enum_table<mcp_revision>::rows) {
    const auto revision = row.first;
    CAPTURE(row.second);
    const auto out = complete_result(revision, "tools/list", result);
    if (era_of(revision) == mcp_era::legacy) {
      CHECK(out == result);
      continue;
    }
    CHECK(out.at("resultType") == "complete");
    CHECK(out.at("ttlMs").is_number_unsigned());
    CHECK(out.at("cacheScope") == "private");
    CHECK(out.at("_meta").at("io.modelcontextprotocol/serverInfo").at("name") == "gasoline");
  }
}

TEST_CASE("only results that can be kept say for how long, and a handler's _meta stays") {
  const auto modern = mcp_revision::v2026_07_28;
  for (const auto* method : {"server/discover", "tools/list", "prompts/list", "resources/list",
                             "resources/templates/list", "resources/read"})
    CHECK(complete_result(modern, method, json::object()).contains("ttlMs"));
  const auto called = complete_result(modern, "tools/call", {{"_meta", {{"own", 1}}}});
  CHECK(!called.contains("ttlMs"));
  CHECK(!called.contains("cacheScope"));
  CHECK(called.at("_meta").at("own") == 1);
}

TEST_CASE("an input-required result holds what it has") {
  const auto both = input_required_result({{"k", {{"method", "roots/list"}}}}, "sealed");
  CHECK(both.at("resultType") == "input_required");
  CHECK(both.at("inputRequests").at("k").at("method") == "roots/list");
  CHECK(both.at("requestState") == "sealed");
  CHECK(!input_required_result(json::object(), "sealed").contains("inputRequests"));
  CHECK(!input_required_result({{"k", 1}}, "").contains("requestState"));
}

TEST_CASE("error codes: a missing resource is the only one that differs") {
  CHECK(wire_code(mcp_revision::v2025_11_25, rpc_code::resource_not_found) ==
        rpc_code::resource_not_found);
  CHECK(wire_code(mcp_revision::v2026_07_28, rpc_code::resource_not_found) ==
        rpc_code::invalid_params);
  CHECK(wire_code(mcp_revision::v2026_07_28, rpc_code::internal_error) == rpc_code::internal_error);
}

TEST_CASE("server info and capabilities grow with the revisions") {
  CHECK(!server_info(mcp_revision::v2025_03_26).contains("title"));
  CHECK(server_info(mcp_revision::v2025_06_18).contains("title"));
  CHECK(!server_info(mcp_revision::v2025_06_18).contains("description"));
  CHECK(server_info(mcp_revision::v2025_11_25).contains("description"));
  CHECK(!server_capabilities(mcp_revision::v2024_11_05, false).contains("completions"));
  CHECK(server_capabilities(mcp_revision::v2025_03_26, false).contains("completions"));
  CHECK(server_capabilities(mcp_revision::v2026_07_28, true).at("tools").at("listChanged") == true);
  CHECK(server_capabilities(mcp_revision::v2026_07_28, false).at("prompts").at("listChanged") ==
        false);
}

TEST_CASE("progress: whole numbers stay whole, a message only where it is known") {
  const auto p = progress_params(mcp_revision::v2024_11_05, "t", 50, 100.0, "half");
  CHECK(p.dump() == R"({"progress":50,"progressToken":"t","total":100})");
  CHECK(progress_params(mcp_revision::v2025_03_26, 1, 0.5, nullptr, "half").dump() ==
        R"({"message":"half","progress":0.5,"progressToken":1})");
}

TEST_CASE("the first request decides the era of a connection, discover does not") {
  connection_era fresh;
  CHECK(fresh.classify("server/discover", true) == mcp_era::modern);
  CHECK(!fresh.pinned());
  CHECK(fresh.classify("initialize", false) == mcp_era::legacy);
  CHECK(fresh.pinned() == mcp_era::legacy);
  CHECK(fresh.classify("tools/list", true) == mcp_era::modern);
  CHECK(fresh.classify("tools/list", false) == mcp_era::legacy);

  connection_era modern;
  CHECK(modern.classify("tools/list", true) == mcp_era::modern);
  CHECK(modern.classify("initialize", false) == mcp_era::modern);
  CHECK(modern.classify("tools/list", false) == mcp_era::modern);

  connection_era claimed_initialize;
  CHECK(claimed_initialize.classify("initialize", true) == mcp_era::legacy);
  CHECK(claimed_initialize.pinned() == mcp_era::legacy);
}

TEST_CASE("a tool's answer is content blocks; revisions without links get a text") {
  const tool_result result{{text_block{"see"}, image_block{"AA==", "image/png"},
                            link_block{"test://a", "a", "text/plain"}},
                           true};
  const auto now = tool_result_json(mcp_revision::v2025_11_25, result);
  CHECK(now.at("isError") == true);
  CHECK(now.at("content").at(0) == json{{"type", "text"}, {"text", "see"}});
  CHECK(now.at("content").at(1) ==
        json{{"type", "image"}, {"data", "AA=="}, {"mimeType", "image/png"}});
  CHECK(now.at("content").at(2) == json{{"type", "resource_link"},
                                        {"uri", "test://a"},
                                        {"name", "a"},
                                        {"mimeType", "text/plain"}});
  const auto old = tool_result_json(mcp_revision::v2025_03_26, result);
  CHECK(old.at("content").at(2) == json{{"type", "text"}, {"text", "a: test://a"}});
  CHECK(!tool_result_json(mcp_revision::v2025_11_25, text_result("fine")).contains("isError"));
}
