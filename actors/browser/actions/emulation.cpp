#include "actors/browser/actions/emulation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr double most_pixels = 10'000;
constexpr double most_factor = 8;
constexpr double most_slowdown = 100;

// Of a phone in a poor place: milliseconds, bytes a second.
constexpr int slow_latency_ms = 400;
constexpr int slow_bytes = 50'000;

bool is_off(const json& value) {
  return value.is_null() || value == false || value == "";
}

tl::unexpected<user_error> refuse_value(std::string_view name, const json& value,
                                        std::string_view valid) {
  return tl::unexpected(user_error{std::string{name} + ": " + value.dump() + " is not valid; " +
                                   std::string{valid} + "."});
}

/// The number at the beginning of a text, which it is taken from; nothing: there is none.
std::optional<double> take_number(std::string_view& text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || !std::isfinite(number) || number <= 0)
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

bool take_sign(std::string_view& text, char sign) {
  if (!text.starts_with(sign))
    return false;
  text.remove_prefix(1);
  return true;
}

result_or<json> viewport_of(const json& value) {
  std::string_view text;
  if (value.is_string())
    text = value.get_ref<const std::string&>();
  const auto width = take_number(text);
  const auto height = width && take_sign(text, 'x') ? take_number(text) : std::nullopt;
  const auto factor = height && take_sign(text, '@') ? take_number(text) : std::optional{0.0};
  const bool is_whole = height && factor && text.empty();
  if (!is_whole || std::max(*width, *height) > most_pixels || *factor > most_factor)
    return refuse_value("viewport", value, "it is width and height such as 390x844, or 390x844@3");
  return json{{"width", std::llround(*width)},
              {"height", std::llround(*height)},
              {"deviceScaleFactor", *factor}, // 0: the browser's own
              {"mobile", false}};
}

using commands = std::vector<input_command>;
using made = result_or<commands>;

made viewport_commands(const json& value) {
  if (is_off(value))
    return commands{{"Emulation.clearDeviceMetricsOverride", json::object()}};
  auto size = viewport_of(value);
  if (!size)
    return tl::unexpected(size.error());
  return commands{{"Emulation.setDeviceMetricsOverride", std::move(*size)}};
}

made touch_commands(const json& value) {
  const bool on = !is_off(value);
  return commands{{"Emulation.setTouchEmulationEnabled",
                   on ? json{{"enabled", true}, {"maxTouchPoints", 5}} : json{{"enabled", false}}}};
}

made dark_commands(const json& value) {
  const json scheme{{"name", "prefers-color-scheme"}, {"value", is_off(value) ? "" : "dark"}};
  return commands{{"Emulation.setEmulatedMedia", {{"features", json::array({scheme})}}}};
}

commands network_commands(bool offline, bool slow) {
  const int bytes = slow ? slow_bytes : -1;
  return {{"Network.emulateNetworkConditions",
           {{"offline", offline},
            {"latency", slow ? slow_latency_ms : 0},
            {"downloadThroughput", bytes},
            {"uploadThroughput", bytes}}}};
}

made cpu_commands(const json& value) {
  const double rate = is_off(value) ? 1 : value.is_number() ? value.get<double>() : 0;
  if (!(rate >= 1 && rate <= most_slowdown))
    return refuse_value("cpu", value, "it is how many times slower, from 1 to 100");
  return commands{{"Emulation.setCPUThrottlingRate", {{"rate", rate}}}};
}

made locale_commands(const json& value) {
  if (!is_off(value) && !value.is_string())
    return refuse_value("locale", value, "it is one such as de-DE");
  return commands{
      {"Emulation.setLocaleOverride", is_off(value) ? json::object() : json{{"locale", value}}}};
}

/// What is put on and off by itself.
struct plain_feature {
  std::string_view name;
  made (*commands_for)(const json& value);
};

constexpr std::array<plain_feature, 5> plain_features{{
    {"viewport", viewport_commands},
    {"touch", touch_commands},
    {"dark", dark_commands},
    {"cpu", cpu_commands},
    {"locale", locale_commands},
}};

const plain_feature* feature_named(std::string_view name) {
  for (const auto& each : plain_features)
    if (each.name == name)
      return &each;
  return nullptr;
}

} // namespace

result_or<std::vector<input_command>> emulation_of(const json& asked) {
  commands out;
  const auto add = [&](commands more) { out.insert(out.end(), more.begin(), more.end()); };
  if (!asked.is_object() || asked.empty()) {
    for (const auto& each : plain_features)
      add(*each.commands_for(nullptr));
    add(network_commands(false, false));
    return out;
  }
  for (const auto& [name, value] : asked.items()) {
    if (name == "offline" || name == "slow")
      continue;
    const auto* feature = feature_named(name);
    if (feature == nullptr)
      return tl::unexpected(
          user_error{"'" + name +
                     "' cannot be emulated; valid are viewport, dark, touch, offline, slow, cpu "
                     "and locale."});
    auto more = feature->commands_for(value);
    if (!more)
      return more;
    add(std::move(*more));
  }
  if (asked.contains("offline") || asked.contains("slow"))
    add(network_commands(!is_off(asked.value("offline", json{})),
                         !is_off(asked.value("slow", json{}))));
  return out;
}

std::string emulation_text(const json& asked) {
  std::string out;
  if (asked.is_object())
    for (const auto& [name, value] : asked.items()) {
      out += (out.empty() ? "emulating " : ", ") + std::string{is_off(value) ? "no " : ""} + name;
      if (!is_off(value) && value != true)
        out += ' ' + (value.is_string() ? value.get<std::string>() : value.dump());
    }
  return out.empty() ? "nothing is emulated any more" : out;
}

} // namespace gasoline
