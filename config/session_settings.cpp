#include "config/session_settings.hpp"

#include "config/http_url.hpp"
#include "config/values/quoted_value.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using status = result_or<std::monostate>;

tl::unexpected<user_error> refuse_setting(std::string text) {
  return tl::unexpected(user_error{std::move(text)});
}

status read_flag(bool& into, const json& value, const std::string& where) {
  if (!value.is_boolean())
    return refuse_setting(where + ": " + quoted_value(value) + " is not valid; use true or false.");
  into = value.get<bool>();
  return std::monostate{};
}

// Providers

status read_base_url(provider_settings& p, const json& value, const std::string& where) {
  if (!value.is_string())
    return refuse_setting(where + " must be a URL as a text, not " + quoted_value(value) + ".");
  auto url = value.get<std::string>();
  while (url.ends_with('/'))
    url.pop_back();
  if (auto parsed = parse_http_url(url); !parsed)
    return refuse_setting(where + ": " + parsed.error().message);
  else if (parsed->path.find('?') != std::string::npos)
    return refuse_setting(where + ": a base URL has no query; paths are added to it.");
  p.base_url = std::move(url);
  return std::monostate{};
}

status read_provider_field(provider_settings& p, const std::string& key, const json& value,
                           const std::string& where) {
  const auto place = where + "." + key;
  if (key == "base_url")
    return read_base_url(p, value, place);
  if (key == "allow_plain_http")
    return read_flag(p.allow_plain_http, value, place);
  if (key != "key_file")
    return refuse_setting(
        place + " is no setting; known are base_url, key_file, allow_plain_http." +
        (key == "key" || key == "api_key"
             ? " A key is not written here: put it into a file, or the environment."
             : ""));
  if (!value.is_string() || value.get<std::string>().empty())
    return refuse_setting(place + " must be the path of a file with the key as a text, not " +
                          quoted_value(value) + ".");
  p.key_file = value.get<std::string>();
  return std::monostate{};
}

/// A key that can be read on the way is no key.
status check_key_travels_safely(const provider_settings& p, const std::string& where) {
  const auto url = parse_http_url(p.base_url);
  if (p.key_file.empty() || p.allow_plain_http || !url || url->secure || is_loopback(*url))
    return std::monostate{};
  return refuse_setting(where + ".base_url " + p.base_url +
                        " is plain http to another machine, where everybody on the way can read "
                        "the key of key_file; use https, or set allow_plain_http to true.");
}

status read_provider(provider_settings& p, const json& value, const std::string& where) {
  if (!value.is_object())
    return refuse_setting(where + " must be an object with base_url, key_file, not " +
                          quoted_value(value) + ".");
  for (const auto& [key, field] : value.items())
    if (auto ok = read_provider_field(p, key, field, where); !ok)
      return ok;
  return check_key_travels_safely(p, where);
}

status read_providers(session_settings& s, const json& value, const std::string& where) {
  if (!value.is_object())
    return refuse_setting(where + " must be an object with anthropic, openai, not " +
                          quoted_value(value) + ".");
  for (const auto& [name, provider] : value.items()) {
    if (name != "anthropic" && name != "openai")
      return refuse_setting(where + "." + name +
                            " is no provider with settings; known are anthropic, " +
                            "openai. Other servers are used through openai with their base_url.");
    auto& target = name == "anthropic" ? s.anthropic : s.openai;
    if (auto ok = read_provider(target, provider, where + "." + name); !ok)
      return ok;
  }
  return std::monostate{};
}

// Prices

status read_price(model_price& price, const json& value, const std::string& where) {
  if (!value.is_object() || value.empty())
    return refuse_setting(where + " must be an object with input, cached, output: USD per million "
                                  "tokens.");
  std::optional<double> cached;
  for (const auto& [key, amount] : value.items()) {
    if (key != "input" && key != "cached" && key != "output")
      return refuse_setting(where + "." + key +
                            " is no price; known are input, cached, output (USD per million "
                            "tokens).");
    if (!amount.is_number() || amount.get<double>() < 0)
      return refuse_setting(where + "." + key + " must be a number from 0 on.");
    if (key == "cached")
      cached = amount.get<double>();
    else
      (key == "input" ? price.input : price.output) = amount.get<double>();
  }
  price.cached = cached.value_or(price.input);
  return std::monostate{};
}

status read_prices(session_settings& s, const json& value, const std::string& where) {
  if (!value.is_object())
    return refuse_setting(where + " must be an object of PROVIDER:MODEL and prices.");
  for (const auto& [model, price] : value.items()) {
    const auto place = where + "." + model;
    if (model.find(':') == std::string::npos)
      return refuse_setting(place + " names no model; a name is PROVIDER:MODEL, and a * at its "
                                    "end is any ending.");
    if (auto ok = read_price(s.prices[model], price, place); !ok)
      return ok;
  }
  return std::monostate{};
}

// Permissions

std::optional<permission_choice> choice_of(const json& value) {
  if (!value.is_string())
    return std::nullopt;
  const auto& name = value.get_ref<const std::string&>();
  if (name == "allow")
    return permission_choice::allow;
  if (name == "ask")
    return permission_choice::ask;
  if (name == "deny")
    return permission_choice::deny;
  return std::nullopt;
}

status read_patterns(std::vector<std::string>& into, const json& value, const std::string& where) {
  const auto wrong = [&] {
    return refuse_setting(where + " must be a list of patterns, such as \"npm test*\".");
  };
  if (!value.is_array())
    return wrong();
  for (const auto& pattern : value) {
    if (!pattern.is_string() || pattern.get_ref<const std::string&>().empty())
      return wrong();
    into.push_back(pattern.get<std::string>());
  }
  return std::monostate{};
}

status read_rule(permission_rule& rule, const json& value, const std::string& where) {
  if (const auto choice = choice_of(value)) {
    rule.otherwise = *choice;
    return std::monostate{};
  }
  if (!value.is_object())
    return refuse_setting(where + ": " + quoted_value(value) +
                          " is not valid; use \"ask\", \"allow\", \"deny\", or an object with "
                          "policy, allow, deny.");
  for (const auto& [key, field] : value.items()) {
    const auto place = where + "." + key;
    if (key == "policy") {
      const auto choice = choice_of(field);
      if (!choice)
        return refuse_setting(place + ": " + quoted_value(field) +
                              " is not valid; use ask, allow or deny.");
      rule.otherwise = *choice;
    } else if (key == "allow" || key == "deny") {
      if (auto ok = read_patterns(key == "allow" ? rule.allow : rule.deny, field, place); !ok)
        return ok;
    } else {
      return refuse_setting(place + " is no setting; known are policy, allow, deny.");
    }
  }
  return std::monostate{};
}

status read_permissions(session_settings& s, const json& value, const std::string& where) {
  if (!value.is_object())
    return refuse_setting(where + " must be an object of tools and rules.");
  for (const auto& [tool, rule] : value.items())
    if (auto ok = read_rule(s.permissions[tool], rule, where + "." + tool); !ok)
      return ok;
  return std::monostate{};
}

} // namespace

std::optional<model_price> price_of(const session_settings& settings, std::string_view model) {
  if (const auto exact = settings.prices.find(model); exact != settings.prices.end())
    return exact->second;
  std::optional<model_price> found;
  std::size_t longest = 0;
  for (const auto& [name, price] : settings.prices) {
    const auto beginning = std::string_view{name}.substr(0, name.size() - 1);
    if (!name.ends_with('*') || !model.starts_with(beginning) || name.size() < longest)
      continue;
    longest = name.size();
    found = price;
  }
  return found;
}

result_or<std::monostate> read_session_settings(session_settings& into, const json& value,
                                                const std::string& where) {
  if (!value.is_object())
    return refuse_setting(where +
                          " must be an object with allow_shell, providers, prices, permissions, "
                          "not " +
                          quoted_value(value) + ".");
  for (const auto& [key, field] : value.items()) {
    const auto place = where + "." + key;
    auto ok = key == "providers"     ? read_providers(into, field, place)
              : key == "allow_shell" ? read_flag(into.allow_shell, field, place)
              : key == "prices"      ? read_prices(into, field, place)
              : key == "permissions"
                  ? read_permissions(into, field, place)
                  : status{refuse_setting(place + " is no setting; known are allow_shell, "
                                                  "providers, prices, permissions.")};
    if (!ok)
      return ok;
  }
  return std::monostate{};
}

} // namespace gasoline
