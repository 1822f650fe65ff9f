#include "transport/json_rpc.hpp"

#include <doctest/doctest.h>

namespace gasoline {
namespace {

rpc_fault fault_of(std::string_view text) {
  const auto frame = decode_rpc(text, limits{});
  REQUIRE(frame.messages.size() == 1);
  const auto* fault = std::get_if<rpc_fault>(&frame.messages[0]);
  REQUIRE(fault);
  return *fault;
}

rpc_call call_of(std::string_view text) {
  const auto frame = decode_rpc(text, limits{});
  REQUIRE(frame.messages.size() == 1);
  const auto* call = std::get_if<rpc_call>(&frame.messages[0]);
  REQUIRE(call);
  return *call;
}

} // namespace

TEST_CASE("ids are echoed with value and type") {
  CHECK(call_of(R"({"jsonrpc":"2.0","id":0,"method":"ping"})").id == 0);
  CHECK(call_of(R"({"jsonrpc":"2.0","id":"","method":"ping"})").id == "");
  CHECK(call_of(R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"})").id.dump() ==
        "18446744073709551615");
  CHECK(call_of(R"({"jsonrpc":"2.0","method":"x"})").is_notification());
}

TEST_CASE("whatever is no JSON is a parse error without id") {
  for (const auto* text :
       {"{", "hello", "\"\xff\"", R"({"jsonrpc":"2.0","id":3,"method":"m","params":{"a":"\xff"}})",
        "NaN", ""}) {
    std::string line{text};
    if (const auto escape = line.find("\\xff"); escape != std::string::npos)
      line.replace(escape, 4, "\xff");
    const auto fault = fault_of(line);
    CHECK(fault.code == rpc_code::parse_error);
    CHECK(fault.id.is_null());
  }
}

TEST_CASE("a message of the wrong shape keeps its id in the error") {
  const auto no_method = fault_of(R"({"jsonrpc":"2.0","id":7})");
  CHECK(no_method.code == rpc_code::invalid_request);
  CHECK(no_method.id == 7);
  CHECK(fault_of(R"({"jsonrpc":"1.0","id":"a","method":"ping"})").id == "a");
  CHECK(fault_of(R"({"jsonrpc":"2.0","id":8,"method":1})").id == 8);
  CHECK(fault_of(R"({"jsonrpc":"2.0","id":9,"method":"m","params":[1]})").id == 9);
  CHECK(fault_of(R"({"jsonrpc":"2.0","id":null,"method":"m"})").id.is_null());
  CHECK(fault_of(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})").id.is_null());
  CHECK(fault_of("42").code == rpc_code::invalid_request);
  CHECK(fault_of("[]").code == rpc_code::invalid_request);
}

TEST_CASE("depth is limited before anything recursive runs") {
  const auto deep = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":)" +
                    std::string(100'000, '[') + std::string(100'000, ']') + "}}";
  CHECK(fault_of(deep).code == rpc_code::invalid_request);
  CHECK(fault_of(deep).id == 1);
  CHECK(call_of(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"[[[[\"[["}})").id == 1);
}

TEST_CASE("what holds too many things is refused by their number, whatever they are") {
  limits limit;
  limit.client.batch_messages = 3;
  limit.client.message_values = 20;
  const auto problem = [&](const std::string& text) {
    const auto frame = decode_rpc(text, limit);
    const auto* fault = std::get_if<rpc_fault>(&frame.messages.at(0));
    return fault && !frame.batch ? fault->message : std::string{};
  };
  CHECK(problem("[1,1,1,1]").find("at most 3 messages") != std::string::npos);
  CHECK(problem("[1,1,1,1,nonsense").find("at most 3 messages") != std::string::npos);
  CHECK(problem(R"([{},{"a":",,,,,,,,,,,,,,,,,,,,,,,,\",,,,,,\\"},{}])").empty());
  CHECK(problem("[[1,1,1,1,1,1,1,1,1,1],[1,1,1,1,1,1,1,1,1,1],[]]").empty());
  const auto list = [](std::size_t n) {
    std::string out{R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[0)"};
    for (std::size_t i = 1; i < n; ++i)
      out += ",0";
    return out + "]}}";
  };
  CHECK(problem(list(10)).empty());
  CHECK(problem(list(30)).find("at most 20 values") != std::string::npos);
  CHECK(decode_rpc("[1,1,1]", limit).messages.size() == 3);
}

TEST_CASE("a request that is refused unread is answered by its id") {
  limits limit;
  limit.client.message_values = 20;
  limit.client.batch_messages = 3;
  std::string zeros{"[0"};
  for (int i = 0; i < 30; ++i)
    zeros += ",0";
  zeros += ']';
  const auto id_of = [&](const std::string& text) {
    return std::get<rpc_fault>(decode_rpc(text, limit).messages.at(0)).id;
  };
  // Official clients write the id last.
  CHECK(id_of(R"({"method":"id","params":{"id":3,"a":)" + zeros + R"(},"jsonrpc":"2.0","id":7})") ==
        7);
  CHECK(id_of(R"({ "id" : "a\"b" , "params":)" + zeros + "}") == "a\"b");
  CHECK(id_of(R"({"params":)" + zeros).is_null());
  CHECK(id_of(R"({"id":{"id":1},"params":)" + zeros).is_null());
  CHECK(id_of(R"({"id":1.5,"params":)" + zeros).is_null());
  CHECK(id_of(R"({"id":)" + std::string(3'000, '[')).is_null());
  CHECK(id_of(R"([{"id":1},1,1,1])").is_null());
  CHECK(id_of("{\"id\":\"\xff\",\"a\":" + zeros).is_null());
}

TEST_CASE("a batch keeps good and bad members apart") {
  const auto frame = decode_rpc(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},3])", limits{});
  CHECK(frame.batch);
  REQUIRE(frame.messages.size() == 2);
  CHECK(std::holds_alternative<rpc_call>(frame.messages[0]));
  CHECK(std::holds_alternative<rpc_fault>(frame.messages[1]));
}

TEST_CASE("responses of the peer are no faults") {
  const auto frame = decode_rpc(R"({"jsonrpc":"2.0","id":1,"result":{}})", limits{});
  CHECK(std::holds_alternative<rpc_reply>(frame.messages.at(0)));
}

TEST_CASE("a lone surrogate escape, which clients really send, becomes U+FFFD") {
  for (const auto* escape : {"\\ud800", "\\uDFFF"}) {
    const auto line = R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"a)" +
                      std::string{escape} + R"(b"}})";
    const auto frame = decode_rpc(line, limits{});
    const auto* call = std::get_if<rpc_call>(&frame.messages.at(0));
    REQUIRE(call);
    CHECK(call->id == 7);
    CHECK(call->params.at("x") == "a\uFFFDb");
  }
}

TEST_CASE("the objects among the arguments of a tool keep the order of their members") {
  const auto ordered = [](const std::string& arguments) {
    const auto frame = decode_rpc(
        R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":)" +
            arguments + "}}",
        limits{});
    return std::get<rpc_call>(frame.messages.at(0)).ordered_arguments;
  };
  CHECK(ordered(R"({"a":"fill","f":{"z":1,"b":{"y":2.5,"c":"\u00fc"}}})") ==
        R"({"a":"fill","f":{"z":1,"b":{"y":2.5,"c":"ü"}}})");
  CHECK(ordered(R"({"f":"{\"z\":1,\"b\":2}"})") == R"({"f":"{\"z\":1,\"b\":2}"})");
  CHECK(ordered(R"("{\"f\":{\"z\":1,\"b\":2}}")") == R"({"f":{"z":1,"b":2}})");
  for (const auto* none : {R"({"z":1,"a":"text"})", "{}", "7", "null", R"({"f":[1]})",
                           R"({"f":{"n":123456789012345678901234567890}})"})
    CHECK_MESSAGE(ordered(none).empty(), none);
}

TEST_CASE("a reply keeps its result or its error") {
  const auto reply = [](const char* text) {
    return std::get<rpc_reply>(decode_rpc(text, limits{}).messages.at(0));
  };
  const auto good = reply(R"({"jsonrpc":"2.0","id":1,"result":{"a":1}})");
  CHECK(good.result.at("a") == 1);
  CHECK(good.error.is_null());
  const auto bad = reply(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}})");
  CHECK(bad.result.is_null());
  CHECK(bad.error.at("code") == -1);
}

} // namespace gasoline
