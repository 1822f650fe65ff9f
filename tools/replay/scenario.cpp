#include "tools/replay/scenario.hpp"

#include <charconv>
#include <cmath>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view step_kinds = "post, call, send, serve, disconnect, expect";

/// Starts every scenario that does not say when it plays.
constexpr std::string_view default_start = "2026-01-28T14:30:00.000Z";

class line_reader {
 public:
  line_reader(std::size_t number, const json& line) : number_(number), line_(line) {}

  result_or<scenario_step> read(std::chrono::milliseconds previous) {
    scenario_step step;
    step.line = number_;
    step.at = previous;
    if (line_.contains("at") && !read_time(step.at))
      return refuse("\"at\" must be a time such as \"1.5s\" or \"200ms\"");
    if (step.at < previous)
      return refuse("\"at\" lies before the previous step");
    if (const auto client = line_.find("client"); client != line_.end()) {
      if (!client->is_string())
        return refuse("\"client\" must be a name");
      step.client = client->get<std::string>();
    }
    auto action = read_action();
    if (!action)
      return tl::unexpected(action.error());
    step.action = std::move(*action);
    return step;
  }

  tl::unexpected<user_error> refuse(const std::string& text) const {
    return tl::unexpected(user_error{"line " + std::to_string(number_) + ": " + text + "."});
  }

 private:
  bool read_time(std::chrono::milliseconds& at, const char* member = "at") const {
    const auto& value = line_[member];
    if (!value.is_string())
      return false;
    const auto text = value.get<std::string>();
    double n = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
    const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
    constexpr double longest_ms = 1e9;
    const double ms = unit == "ms" ? n : unit == "s" ? n * 1000 : unit == "m" ? n * 60'000 : -1;
    if (ec != std::errc{} || !(ms >= 0) || ms > longest_ms)
      return false;
    at = std::chrono::milliseconds{std::llround(ms)};
    return true;
  }

  result_or<scenario_action> read_action() const {
    if (line_.contains("post"))
      return read_post();
    if (line_.contains("call"))
      return read_call();
    if (line_.contains("send")) {
      const auto& send = line_["send"];
      return send_step{send.is_string() ? send.get<std::string>() : send.dump()};
    }
    if (line_.contains("serve"))
      return read_serve();
    if (line_.contains("disconnect"))
      return disconnect_step{};
    if (line_.contains("expect"))
      return read_expect();
    return refuse("a step needs one of " + std::string{step_kinds});
  }

  result_or<scenario_action> read_post() const {
    const auto& route = line_["post"];
    if (!route.is_string() || !route.get<std::string>().starts_with('/'))
      return refuse("\"post\" must be a route such as \"/logs\"");
    post_step step;
    step.route = route.get<std::string>();
    if (const auto body = line_.find("body"); body != line_.end())
      step.body = body->is_string() ? body->get<std::string>() : body->dump();
    step.headers = line_.value("headers", json());
    return step;
  }

  result_or<scenario_action> read_serve() const {
    const auto& address = line_["serve"];
    if (!address.is_string())
      return refuse("\"serve\" must be an address such as \"http://localhost:5173/app.js\"");
    serve_step step;
    step.address = address.get<std::string>();
    if (const auto body = line_.find("body"); body != line_.end())
      step.body = body->is_string() ? body->get<std::string>() : body->dump();
    if (const auto status = line_.find("status"); status != line_.end()) {
      if (!status->is_number_integer())
        return refuse("\"status\" must be a number; 0 is a server that never answers");
      step.status = status->get<int>();
    }
    if (line_.contains("delay") && !read_time(step.delay, "delay"))
      return refuse("\"delay\" must be a time such as \"200ms\"");
    if (const auto headers = line_.find("headers"); headers != line_.end() && headers->is_object())
      for (const auto& [name, value] : headers->items())
        step.headers.emplace_back(name,
                                  value.is_string() ? value.get<std::string>() : value.dump());
    return step;
  }

  result_or<scenario_action> read_call() const {
    const auto& tool = line_["call"];
    if (!tool.is_string())
      return refuse("\"call\" must name a tool");
    return call_step{tool.get<std::string>(), line_.value("arguments", json::object())};
  }

  result_or<scenario_action> read_expect() const {
    const auto& what = line_["expect"];
    const auto found =
        what.is_string() ? parse_name<expectation>(what.get<std::string>()) : std::nullopt;
    if (!found)
      return refuse("\"expect\" must be one of " + all_names<expectation>());
    return expect_step{*found, line_.value("match", json())};
  }

  std::size_t number_;
  const json& line_;
};

/// Takes a `config` line; answers whether it was one.
result_or<bool> read_config(const line_reader& reader, const json& line, scenario& out) {
  const auto config = line.find("config");
  if (config == line.end())
    return false;
  if (!config->is_object())
    return reader.refuse("\"config\" must be an object");
  out.config = *config;
  if (const auto start = out.config.find("start"); start != out.config.end()) {
    const auto at = start->is_string() ? from_iso8601(start->get<std::string>()) : std::nullopt;
    if (!at)
      return reader.refuse("\"start\" must be an ISO 8601 time");
    out.start = *at;
    out.config.erase("start");
  }
  return true;
}

} // namespace

result_or<scenario> parse_scenario(std::string_view text) {
  scenario out;
  out.start = *from_iso8601(default_start);
  std::chrono::milliseconds at{0};
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto raw = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (raw.ends_with('\r'))
      raw.remove_suffix(1);
    if (raw.empty() || raw.starts_with("//"))
      continue;
    const auto line = json::parse(raw, nullptr, false);
    line_reader reader{number, line};
    if (!line.is_object())
      return reader.refuse("not a JSON object");
    const auto config = read_config(reader, line, out);
    if (!config)
      return tl::unexpected(config.error());
    if (*config)
      continue;
    auto step = reader.read(at);
    if (!step)
      return tl::unexpected(step.error());
    at = step->at;
    out.steps.push_back(std::move(*step));
  }
  return out;
}

} // namespace gasoline
