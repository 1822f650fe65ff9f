#include "config/sections/browser_settings.hpp"

#include "config/values/quoted_value.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

tl::unexpected<user_error> refuse_browser(std::string text) {
  return tl::unexpected(user_error{std::move(text)});
}

/// The texts of a list; `example` stands in the error.
result_or<std::vector<std::string>> listed_texts(const json& value, const std::string& where,
                                                 std::string_view example) {
  std::vector<std::string> out;
  for (const auto& each : value.is_array() ? value : json::array({nullptr})) {
    if (!each.is_string() || each.get_ref<const std::string&>().empty())
      return refuse_browser(where + " must be a list of texts such as " + std::string{example} +
                            ", not " + quoted_value(value) + ".");
    out.push_back(each.get<std::string>());
  }
  return out;
}

/// Whether it is `http://`, a loopback address and a port: what drives a browser is on its machine.
bool is_browser_address(std::string_view text) {
  constexpr std::array<std::string_view, 3> hosts{
      "http://127.0.0.1:", "http://localhost:", "http://[::1]:"};
  for (const auto host : hosts) {
    if (!text.starts_with(host))
      continue;
    const auto port = text.substr(host.size());
    return !port.empty() && port.size() <= 5 &&
           port.find_first_not_of("0123456789") == std::string_view::npos;
  }
  return false;
}

result_or<std::monostate> read_browser_field(browser_settings& into, const std::string& key,
                                             const json& value, const std::string& where) {
  if (key == "start") {
    const auto start = read_browser_start(value.is_string() ? value.get<std::string>() : "", where);
    if (!start)
      return tl::unexpected(start.error());
    into.start = *start;
    return std::monostate{};
  }
  if (key == "path") {
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      return refuse_browser(where + " must be the path of a browser as a text, not " +
                            quoted_value(value) + ".");
    into.program = value.get<std::string>();
    return std::monostate{};
  }
  if (key == "headless") {
    if (!value.is_boolean())
      return refuse_browser(where + ": " + quoted_value(value) +
                            " is not valid; use true or false.");
    into.headless = value.get<bool>();
    return std::monostate{};
  }
  if (key == "address") {
    if (!value.is_string() || !is_browser_address(value.get_ref<const std::string&>()))
      return refuse_browser(where + ": " + quoted_value(value) +
                            " is not valid; it is where a browser of this machine listens, such as "
                            "http://127.0.0.1:9222.");
    into.address = value.get<std::string>();
    return std::monostate{};
  }
  if (key != "args")
    return refuse_browser(where +
                          " is no setting; known are start, path, headless, args, address.");
  auto arguments = listed_texts(value, where, R"(["--lang=de"])");
  if (!arguments)
    return tl::unexpected(arguments.error());
  into.arguments = std::move(*arguments);
  return std::monostate{};
}

result_or<std::monostate> read_origins(browser_settings& into, const json& value,
                                       const std::string& where) {
  auto texts = listed_texts(value, where, R"(["myapp.test"])");
  if (!texts)
    return tl::unexpected(texts.error());
  for (const auto& text : *texts) {
    auto pattern = origin_pattern::parse(text);
    if (!pattern)
      return refuse_browser(where + ": " + pattern.error().message);
    into.origins.push_back(std::move(*pattern));
  }
  return std::monostate{};
}

result_or<std::monostate> read_secrets(browser_settings& into, const json& value,
                                       const std::string& where) {
  const auto rows = value.is_object() ? value : json{{"", nullptr}};
  for (const auto& [name, file] : rows.items()) {
    if (name.empty() || !file.is_string() || file.get_ref<const std::string&>().empty())
      return refuse_browser(where + R"( must name a file for each, such as {"SHOP_PASSWORD":)" +
                            R"("/home/me/.shop-password"}, not )" + quoted_value(value) + ".");
    into.secret_files[name] = file.get<std::string>();
  }
  return std::monostate{};
}

result_or<std::monostate> read_interact_field(browser_settings& into, const std::string& key,
                                              const json& value, const std::string& where) {
  if (key == "origins")
    return read_origins(into, value, where);
  if (key == "secrets")
    return read_secrets(into, value, where);
  if (key != "files")
    return refuse_browser(where + " is no setting; known are origins, secrets, files.");
  const auto directories = listed_texts(value, where, R"(["/home/me/shop/fixtures"])");
  if (!directories)
    return tl::unexpected(directories.error());
  into.upload_directories.assign(directories->begin(), directories->end());
  return std::monostate{};
}

} // namespace

result_or<browser_start> read_browser_start(std::string_view text, std::string_view where) {
  if (text == "on_demand")
    return browser_start::on_demand;
  if (text == "launch")
    return browser_start::launch;
  if (text == "attach")
    return browser_start::attach;
  if (text == "off")
    return browser_start::off;
  return refuse_browser(std::string{where} + ": '" + std::string{text} +
                        "' is not valid; use one of on_demand, launch, attach, off.");
}

result_or<std::monostate> read_browser_settings(browser_settings& into, const json& value,
                                                const std::string& where) {
  if (!value.is_object())
    return refuse_browser(where + R"( must be an object such as {"start":"launch"}, not )" +
                          quoted_value(value) + ".");
  for (const auto& [key, field] : value.items())
    if (auto ok = read_browser_field(into, key, field, where + "." + key); !ok)
      return ok;
  return std::monostate{};
}

result_or<std::monostate> read_interact_settings(browser_settings& into, const json& value,
                                                 const std::string& where) {
  if (!value.is_object() || value.empty())
    return refuse_browser(where + R"( must be {"origins":["https://staging.example.com"]}, not )" +
                          quoted_value(value) + ".");
  for (const auto& [key, field] : value.items())
    if (auto ok = read_interact_field(into, key, field, where + "." + key); !ok)
      return ok;
  return std::monostate{};
}

} // namespace gasoline
