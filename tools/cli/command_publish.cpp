#include "tools/cli/command_publish.hpp"

#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "tools/terminal/engine_call.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <iterator>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr unsigned status_exists = 409;

int complain(const std::string& sentence) {
  std::cerr << "gasoline: " << terminal_text(sentence) << '\n';
  return 1;
}

/// Whether the engine did what it was asked for; otherwise the user has been told.
bool accepted(const result_or<engine_response>& response) {
  if (!response) {
    complain(response.error().message);
    return false;
  }
  if (response->status < 300)
    return true;
  complain(refusal_sentence(*response));
  return false;
}

bool make_stream(const settings& config, const publish_options& options) {
  const json body{{"name", options.stream}, {"stream_type", options.create_type}};
  const auto response = call_engine(config, {"POST", "/streams", dumped(body), {}});
  return (response && response->status == status_exists) || accepted(response);
}

json event_of(const publish_options& options, const std::string& text) {
  auto data = json::parse(text, nullptr, false);
  json out{{"data", data.is_discarded() ? json(text) : std::move(data)}};
  if (!options.topic.empty())
    out["topic"] = options.topic;
  if (!options.type.empty())
    out["event_type"] = options.type;
  return out;
}

/// All of it, without the line break that ends a text file.
std::string standard_input() {
  std::string out{std::istreambuf_iterator<char>{std::cin}, {}};
  if (out.ends_with('\n'))
    out.pop_back();
  return out;
}

int publish(const settings& config, const publish_options& options, const std::string& text) {
  const auto target = "/streams/" + percent_encoded(options.stream) + "/events";
  const auto response = call_engine(config, {"POST", target, dumped(event_of(options, text)), {}});
  if (!accepted(response))
    return 1;
  std::cout << terminal_line(response->body) << std::endl;
  return 0;
}

} // namespace

int run_publish(const settings& config, const publish_options& options) {
  if (!options.create_type.empty() && !make_stream(config, options))
    return 1;
  if (options.data != "-")
    return publish(config, options, options.data);
  if (!options.by_lines)
    return publish(config, options, standard_input());
  for (std::string line; std::getline(std::cin, line);)
    if (const int code = publish(config, options, line); code != 0)
      return code;
  return 0;
}

} // namespace gasoline
