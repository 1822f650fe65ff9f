#include "actors/mcp/protocol/request_claims.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using nlohmann::json;

namespace {

const std::string prefix{mcp_meta_prefix};

json params_with(const json& changes) {
  json meta{{prefix + "protocolVersion", "2026-07-28"},
            {prefix + "clientCapabilities", json::object()}};
  meta.merge_patch(changes);
  return {{"_meta", std::move(meta)}};
}

rpc_code problem_of(const json& params) {
  const auto claims = modern_claims(params);
  REQUIRE(!claims);
  CHECK(!claims.error().sentence.empty());
  return claims.error().code;
}

} // namespace

TEST_CASE("a request claims the modern era by naming a protocol version") {
  CHECK(!claims_version(nullptr));
  CHECK(!claims_version(json::object()));
  CHECK(!claims_version({{"_meta", "x"}}));
  CHECK(!claims_version({{"_meta", {{"progressToken", 1}}}}));
  CHECK(!claims_version({{"_meta", {{prefix + "protocolVersion", nullptr}}}}));
  CHECK(claims_version({{"_meta", {{prefix + "protocolVersion", 7}}}}));
  CHECK(claims_version(params_with(json::object())));
}

TEST_CASE("a legacy request's bad progress token is no error and no token") {
  CHECK(legacy_claims(nullptr).progress_token.is_null());
  CHECK(legacy_claims({{"_meta", {{"progressToken", 1.5}}}}).progress_token.is_null());
  CHECK(legacy_claims({{"_meta", {{"progressToken", "t"}}}}).progress_token == "t");
  CHECK(legacy_claims({{"_meta", {{"progressToken", 7}}}}).progress_token == 7);
}

TEST_CASE("all claims of a modern request are read") {
  const auto claims = modern_claims(params_with({{prefix + "clientInfo", {{"name", "c"}}},
                                                 {prefix + "logLevel", "notice"},
                                                 {"progressToken", "t"}}));
  REQUIRE(claims);
  CHECK(claims->client_info.at("name") == "c");
  CHECK(claims->log_level == log_severity::notice);
  CHECK(claims->progress_token == "t");
  CHECK(!modern_claims(params_with(json::object()))->log_level);
}

TEST_CASE("required keys come before the version, the version before optional keys") {
  const json no_capabilities{{prefix + "clientCapabilities", nullptr},
                             {prefix + "protocolVersion", "v999.0.0"}};
  CHECK(problem_of(params_with(no_capabilities)) == rpc_code::invalid_params);
  CHECK(problem_of(params_with({{prefix + "clientCapabilities", "all"}})) ==
        rpc_code::invalid_params);
  CHECK(problem_of(params_with({{prefix + "protocolVersion", 1}})) == rpc_code::invalid_params);
  CHECK(problem_of(params_with({{prefix + "protocolVersion", nullptr}})) ==
        rpc_code::invalid_params);
  CHECK(problem_of(params_with({{prefix + "protocolVersion", "2025-11-25"},
                                {prefix + "logLevel", "loud"}})) == rpc_code::version_unsupported);
  CHECK(problem_of(params_with({{prefix + "logLevel", "loud"}})) == rpc_code::invalid_params);
  CHECK(problem_of(params_with({{prefix + "logLevel", 3}})) == rpc_code::invalid_params);
  CHECK(problem_of(params_with({{prefix + "clientInfo", "c"}})) == rpc_code::invalid_params);
  CHECK(problem_of(params_with({{"progressToken", json::array()}})) == rpc_code::invalid_params);
}

TEST_CASE("a version that is not spoken is told what is") {
  const auto problem = version_problem("v999.0.0");
  CHECK(problem.data == json{{"supported", {"2026-07-28"}}, {"requested", "v999.0.0"}});
}
