#include "tools/cli/command_open.hpp"

#include "messages/base/presentable_text.hpp"
#include "tools/terminal/engine_call.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

namespace gasoline {
namespace {

constexpr unsigned status_created = 201;

int no_link(const std::string& why) {
  std::cerr << "gasoline: " << terminal_text(why) << '\n';
  return 1;
}

} // namespace

int run_open(const settings& config) {
  engine_request request;
  request.method = "POST";
  request.target = "/links";
  request.body = "{}";
  const auto response = call_engine(config, request);
  if (!response)
    return no_link(response.error().message);
  if (response->status != status_created)
    return no_link(refusal_sentence(*response));
  const auto endpoint = engine_endpoint(config);
  if (!endpoint)
    return no_link(endpoint.error().message);
  const auto answer = nlohmann::json::parse(response->body, nullptr, false);
  const auto address = endpoint->address().to_string();
  std::cout << "http://" << (endpoint->address().is_v6() ? '[' + address + ']' : address) << ':'
            << endpoint->port() << terminal_line(answer.is_object() ? answer.value("path", "") : "")
            << '\n';
  return 0;
}

} // namespace gasoline
