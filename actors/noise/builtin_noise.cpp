#include "actors/noise/builtin_noise.hpp"

#include "actors/detection/direct_alert.hpp"
#include "actors/detection/event_fields.hpp"
#include "actors/detection/fault_key.hpp"
#include "actors/detection/stack_frames.hpp"
#include "actors/detection/url_pieces.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return starts_with(text, start); });
}

template <std::size_t N>
bool contains_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return contains(text, part); });
}

// An error's own text, without the class that some browsers put before it.
std::string_view own_text(std::string_view message) {
  message = without_uncaught(message);
  for (const std::string_view name : {"Error: ", "DOMException: "})
    if (starts_with(message, name))
      message.remove_prefix(name.size());
  return message;
}

bool is_request(const event& e) {
  return e.source == event_source::network_bodies || e.source == event_source::network_waterfall ||
         (e.source == event_source::logs && e.type == entry_type::network);
}

bool is_extension_address(const redacted_text& text) {
  return is_extension_scheme(take_apart(text.view()).scheme) || is_extension_scheme(text.view());
}

bool blames_extension(const event& e) {
  for (const auto* name : {"blocked_uri", "blockedURI", "source_file", "sourceFile"})
    if (is_extension_address(field_text(e.fields, name)))
      return true;
  return false;
}

bool is_from_extension(const event& e) {
  if (is_request(e))
    return is_extension_address(request_url(e));
  if (e.source != event_source::logs)
    return false;
  if (!first_location(e.stack.view()).empty())
    return is_extension_only(e.stack.view());
  if (e.type == entry_type::security && blames_extension(e))
    return true;
  return is_extension_address(error_location(e));
}

bool is_script_error(const event& e) {
  if (e.source != event_source::logs ||
      (e.type != entry_type::exception && e.level != log_level::error))
    return false;
  const auto text = without_uncaught(e.message.view());
  return (text == "Script error." || text == "Script error") && error_location(e).empty();
}

bool is_resize_observer(const event& e) {
  return e.source == event_source::logs &&
         starts_with(own_text(e.message.view()), "ResizeObserver loop");
}

// Promises rejected with a DOM event, and the probes of a link scanner: no error of the page's.
bool is_opaque_rejection(const event& e) {
  const auto text = e.message.view();
  return e.source == event_source::logs &&
         contains(text, "Non-Error promise rejection captured with") &&
         (contains(text, "isTrusted") || contains(text, "Object Not Found Matching Id"));
}

constexpr std::array<std::string_view, 6> abort_texts{
    "AbortError",        "The user aborted a request",
    "signal is aborted", "The operation was aborted",
    "Fetch is aborted",  "BodyStreamBuffer was aborted"};
constexpr std::array<std::string_view, 2> abort_codes{"net::ERR_ABORTED", "NS_BINDING_ABORTED"};

bool says_aborted(std::string_view text) {
  return starts_with_any(own_text(text), abort_texts) || contains_any(text, abort_codes);
}

// Whoever aborts a request wanted it to fail. An answer that came, whatever it was, is no abort.
bool is_aborted_request(const event& e) {
  if (is_request(e))
    return e.status <= 0 &&
           (says_aborted(e.message.view()) || says_aborted(field_text(e.fields, "error").view()));
  if (e.source != event_source::logs)
    return false;
  return says_aborted(e.message.view()) ||
         (e.type == entry_type::console && contains(e.message.view(), "AbortError: "));
}

bool is_missing_favicon(const event& e) {
  if (!is_request(e) && e.source != event_source::logs)
    return false;
  constexpr std::int32_t not_found = 404;
  const bool missing = e.status == not_found || (e.status < 0 && contains(e.message.view(), "404"));
  if (!missing)
    return false;
  const auto url = request_url(e);
  const auto path = take_apart(url.view()).path;
  const auto slash = path.rfind('/');
  return slash != std::string_view::npos && starts_with(path.substr(slash + 1), "favicon");
}

// The request that the preflight was for fails by itself, and that one alerts.
bool is_refused_preflight(const event& e) {
  return is_request(e) && e.status >= 400 && e.status < 500 && method_of(e).view() == "OPTIONS";
}

bool is_hot_reload_path(std::string_view path) {
  constexpr std::array<std::string_view, 8> parts{
      "/__webpack_hmr", "/@vite/",         "/sockjs-node", "/webpack-hmr",
      "/__vite_",       "/@react-refresh", ".hot-update.", "/__webpack_dev_server__"};
  return contains_any(path, parts);
}

bool is_hot_reload_socket(std::string_view url) {
  const auto pieces = take_apart(url);
  if (is_hot_reload_path(pieces.path) || starts_with(pieces.path, "/_nuxt/") ||
      pieces.path == "/livereload")
    return true;
  return is_local_host(pieces.host) && (pieces.path.empty() || pieces.path == "/") &&
         starts_with(pieces.rest, "?token=");
}

// "WebSocket connection to 'ws://…' failed"
std::string_view quoted_socket(std::string_view message) {
  constexpr std::string_view start = "WebSocket connection to '";
  if (!starts_with(message, start))
    return {};
  message.remove_prefix(start.size());
  return message.substr(0, message.find('\''));
}

bool is_hot_reload_message(const event& e) {
  constexpr std::array<std::string_view, 9> starts{"[vite] server connection lost",
                                                   "[vite] failed to connect to websocket",
                                                   "[vite] connecting",
                                                   "[vite] polling for restart",
                                                   "[webpack-dev-server] Disconnected",
                                                   "[webpack-dev-server] Trying to reconnect",
                                                   "[WDS] Disconnected",
                                                   "[HMR] Waiting for update signal",
                                                   "[HMR] connection lost"};
  if (e.type != entry_type::console)
    return false;
  const auto text = e.message.view();
  return starts_with_any(text, starts) || is_hot_reload_socket(quoted_socket(text));
}

bool is_hot_reload(const event& e) {
  if (is_request(e))
    return is_hot_reload_path(take_apart(request_url(e).view()).path);
  if (e.source == event_source::websocket_events)
    return is_hot_reload_socket(e.url.view());
  return e.source == event_source::logs && is_hot_reload_message(e);
}

struct builtin_check {
  builtin_noise rule;
  bool (*meets)(const event&);
};

constexpr std::array<builtin_check, builtin_noise_count> checks{{
    {builtin_noise::extension, is_from_extension},
    {builtin_noise::script_error, is_script_error},
    {builtin_noise::resize_observer, is_resize_observer},
    {builtin_noise::opaque_rejection, is_opaque_rejection},
    {builtin_noise::aborted_request, is_aborted_request},
    {builtin_noise::favicon, is_missing_favicon},
    {builtin_noise::preflight, is_refused_preflight},
    {builtin_noise::hot_reload, is_hot_reload},
}};

event exception_sample(literal message, literal stack) {
  event e;
  e.level = log_level::error;
  e.type = entry_type::exception;
  e.message = message;
  e.stack = stack;
  return e;
}

event request_sample(literal method, literal url, std::int32_t status, literal error) {
  event e;
  e.source = event_source::network_bodies;
  e.name = method;
  e.url = url;
  e.status = status;
  e.message = error;
  return e;
}

event close_sample(literal url) {
  event e;
  e.source = event_source::websocket_events;
  e.name = literal{"close"};
  e.url = url;
  e.status = 1006;
  return e;
}

} // namespace

std::string_view reason_of(builtin_noise rule) {
  switch (rule) {
  case builtin_noise::extension:
    return "errors of browser extensions";
  case builtin_noise::script_error:
    return "cross-origin \"Script error.\" without details; told once per page";
  case builtin_noise::resize_observer:
    return "ResizeObserver loop notices";
  case builtin_noise::opaque_rejection:
    return "promises rejected with a DOM event";
  case builtin_noise::aborted_request:
    return "requests that the page itself aborted";
  case builtin_noise::favicon:
    return "missing favicon";
  case builtin_noise::preflight:
    return "refused CORS preflights; the request itself alerts";
  case builtin_noise::hot_reload:
    return "hot-reload sockets and files of development servers";
  }
  return {};
}

std::optional<builtin_noise> builtin_noise_in(const event& e) {
  for (const auto& check : checks)
    if (check.meets(e))
      return check.rule;
  return std::nullopt;
}

bool builtin_noise_works() {
  constexpr literal app_stack = "at f (https://app.test/app.js:1:2)";
  const std::pair<event, std::optional<builtin_noise>> samples[] = {
      {exception_sample("x", "at f (chrome-extension://abcd/x.js:1:1)"), builtin_noise::extension},
      {exception_sample("Script error.", ""), builtin_noise::script_error},
      {exception_sample("ResizeObserver loop limit exceeded", app_stack),
       builtin_noise::resize_observer},
      {exception_sample("Non-Error promise rejection captured with keys: isTrusted", ""),
       builtin_noise::opaque_rejection},
      {exception_sample("AbortError: The user aborted a request.", app_stack),
       builtin_noise::aborted_request},
      {request_sample("GET", "https://app.test/favicon.ico", 404, ""), builtin_noise::favicon},
      {request_sample("OPTIONS", "https://app.test/api", 403, ""), builtin_noise::preflight},
      {close_sample("ws://localhost:5173/?token=x"), builtin_noise::hot_reload},
      {exception_sample("TypeError: x is not a function", app_stack), std::nullopt},
      {exception_sample("Failed to fetch dynamically imported module: https://app.test/a.js", ""),
       std::nullopt},
      {request_sample("GET", "https://app.test/api", 500, ""), std::nullopt},
      {close_sample("wss://app.test/live"), std::nullopt},
  };
  return std::all_of(std::begin(samples), std::end(samples), [](const auto& sample) {
    return builtin_noise_in(sample.first) == sample.second;
  });
}

} // namespace gasoline
