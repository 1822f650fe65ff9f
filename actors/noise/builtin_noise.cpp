#include "actors/noise/builtin_noise.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/stack_frames.hpp"

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

bool is_extension_address(const redacted_text& text) {
  return is_extension_scheme(take_apart(text.view()).scheme) || is_extension_scheme(text.view());
}

bool blames_extension(const event& e) {
  for (const auto* name : {"blocked_uri", "blockedURI", "source_file", "sourceFile"})
    if (is_extension_address(field_text(e.fields, name)))
      return true;
  return false;
}

// What Chromium tells a page whose extension was reloaded or answers nothing.
bool is_extension_messaging(std::string_view message) {
  constexpr std::array<std::string_view, 4> parts{
      "Could not establish connection. Receiving end does not exist",
      "The message port closed before a response was received",
      "A listener indicated an asynchronous response by returning true",
      "Extension context invalidated"};
  return contains_any(message.substr(0, 512), parts);
}

bool is_from_extension(const event& e) {
  if (is_request(e))
    return is_extension_address(request_url(e));
  if (e.kind != telemetry_kind::log)
    return false;
  if (is_extension_messaging(e.message.view()))
    return true;
  if (!first_location(e.stack.view()).empty())
    return is_extension_only(e.stack.view());
  if (e.type == entry_type::security && blames_extension(e))
    return true;
  return is_extension_address(error_location(e));
}

bool is_script_error(const event& e) {
  if (e.kind != telemetry_kind::log ||
      (e.type != entry_type::exception && e.level != log_level::error))
    return false;
  const auto text = without_uncaught(e.message.view());
  return (text == "Script error." || text == "Script error") && error_location(e).empty();
}

bool is_resize_observer(const event& e) {
  return e.kind == telemetry_kind::log &&
         starts_with(own_text(e.message.view()), "ResizeObserver loop");
}

// Promises rejected with a DOM event, and the probes of a link scanner: no error of the page's.
bool is_opaque_rejection(const event& e) {
  const auto text = e.message.view();
  return e.kind == telemetry_kind::log &&
         contains(text, "Non-Error promise rejection captured with") &&
         (contains(text, "isTrusted") || contains(text, "Object Not Found Matching Id"));
}

constexpr std::array<std::string_view, 14> abort_texts{"AbortError",
                                                       "The user aborted a request",
                                                       "signal is aborted",
                                                       "The operation was aborted",
                                                       "Fetch is aborted",
                                                       "BodyStreamBuffer was aborted",
                                                       "CanceledError",
                                                       "AxiosError: canceled",
                                                       "AxiosError: Request aborted",
                                                       "TypeError: cancelled",
                                                       "Loading initial props cancelled",
                                                       "Route Cancelled",
                                                       "Navigation cancelled from",
                                                       "Navigation aborted from"};
constexpr std::array<std::string_view, 5> abort_codes{"net::ERR_ABORTED", "NS_BINDING_ABORTED",
                                                      "ERR_CANCELED", "CanceledError: canceled",
                                                      "NavigationDuplicated"};

bool says_aborted(std::string_view text) {
  const auto own = own_text(text);
  return starts_with_any(own, abort_texts) || contains_any(text, abort_codes) ||
         own == "canceled" || own == "cancelled" || own == "Request aborted";
}

// Whoever aborts a request wanted it to fail. An answer that came, whatever it was, is no abort.
bool is_aborted_request(const event& e) {
  if (is_request(e))
    return e.status <= 0 &&
           (says_aborted(e.message.view()) || says_aborted(field_text(e.fields, "error").view()));
  if (e.kind != telemetry_kind::log)
    return false;
  return says_aborted(e.message.view()) ||
         (e.type == entry_type::console && contains(e.message.view(), "AbortError: "));
}

bool is_not_found(const event& e) {
  constexpr std::int32_t not_found = 404;
  constexpr std::int32_t gone = 410;
  if (!is_request(e) && e.kind != telemetry_kind::log)
    return false;
  return e.status == not_found || e.status == gone ||
         (e.status < 0 && contains(e.message.view(), "404"));
}

std::string_view file_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_missing_favicon(const event& e) {
  if (!is_not_found(e))
    return false;
  const auto url = request_url(e);
  const auto path = take_apart(url.view()).path;
  return contains(path, "/") && starts_with(file_name(path), "favicon");
}

// What browsers and their tools ask for by convention, whether it is there or not.
bool is_missing_probe(const event& e) {
  if (!is_not_found(e))
    return false;
  const auto url = request_url(e);
  const auto path = take_apart(url.view()).path;
  const auto name = file_name(path);
  constexpr std::array<std::string_view, 9> names{
      "manifest.webmanifest", "manifest.json",
      "site.webmanifest",     "robots.txt",
      "browserconfig.xml",    "apple-touch-icon.png",
      "security.txt",         "com.chrome.devtools.json",
      "mstile-144x144.png"};
  return std::find(names.begin(), names.end(), name) != names.end() ||
         starts_with(name, "apple-touch-icon") || name.ends_with(".map") ||
         !field_json(e.fields.view(), "probe").empty();
}

// The request that the preflight was for fails by itself, and that one alerts.
bool is_refused_preflight(const event& e) {
  return is_request(e) && e.status >= 400 && e.status < 500 && method_of(e).view() == "OPTIONS";
}

bool is_hot_reload_path(std::string_view path) {
  constexpr std::array<std::string_view, 13> parts{
      "/__webpack_hmr", "/@vite/",         "/sockjs-node", "/webpack-hmr",
      "/__vite_",       "/@react-refresh", ".hot-update.", "/__webpack_dev_server__",
      "/rsbuild-hmr",   "/ng-cli-ws",      "/__parcel",    "/__hmr",
      "/_next/hmr"};
  return contains_any(path, parts);
}

// Vite's socket has no path of its own and carries a token, on whatever host, at a port.
bool is_hot_reload_socket(std::string_view url) {
  const auto pieces = take_apart(url);
  if (is_hot_reload_path(pieces.path) || starts_with(pieces.path, "/_nuxt/") ||
      pieces.path == "/livereload")
    return true;
  return (is_local_host(pieces.host) || !pieces.port.empty()) &&
         (pieces.path.empty() || pieces.path == "/") && starts_with(pieces.rest, "?token=");
}

bool has_hot_reload_protocol(const event& e) {
  const auto protocol = field_json(e.fields.view(), "protocol");
  return contains(protocol, "vite-hmr") || contains(protocol, "vite-ping");
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
  if (e.kind == telemetry_kind::socket)
    return is_hot_reload_socket(e.url.view()) || has_hot_reload_protocol(e) ||
           !field_json(e.fields.view(), "dev_server").empty();
  return e.kind == telemetry_kind::log && is_hot_reload_message(e);
}

// The page script knows why: the page aborted or closed it itself, was being left, was offline, or
// its development server was restarting.
bool is_on_purpose(const event& e) {
  if (is_request(e) && e.status > 0)
    return false;
  const auto cause = field_json(e.fields.view(), "cause");
  constexpr std::array<std::string_view, 5> causes{"\"aborted\"", "\"navigation\"", "\"page\"",
                                                   "\"dev_server\"", "\"offline\""};
  return std::find(causes.begin(), causes.end(), cause) != causes.end();
}

bool is_tracker(std::string_view host) {
  constexpr std::array<std::string_view, 22> hosts{"google-analytics.com",
                                                   "googletagmanager.com",
                                                   "doubleclick.net",
                                                   "googlesyndication.com",
                                                   "googleadservices.com",
                                                   "facebook.net",
                                                   "connect.facebook.net",
                                                   "hotjar.com",
                                                   "hotjar.io",
                                                   "segment.io",
                                                   "segment.com",
                                                   "mixpanel.com",
                                                   "amplitude.com",
                                                   "plausible.io",
                                                   "clarity.ms",
                                                   "fullstory.com",
                                                   "heap.io",
                                                   "heapanalytics.com",
                                                   "matomo.cloud",
                                                   "cloudflareinsights.com",
                                                   "bat.bing.com",
                                                   "posthog.com"};
  return std::any_of(hosts.begin(), hosts.end(), [&](std::string_view known) {
    return host == known || (host.ends_with(known) && host[host.size() - known.size() - 1] == '.');
  });
}

// An extension or filter list, however the browser words it. What is known to count visitors and
// got no answer was blocked as well.
bool is_blocked(const event& e) {
  constexpr std::array<std::string_view, 6> texts{"ERR_BLOCKED_BY_CLIENT",
                                                  "ERR_BLOCKED_BY_ADMINISTRATOR",
                                                  "blocked because content blocking is enabled",
                                                  "blocked because of an enabled content blocker",
                                                  "Content blocker prevented",
                                                  "NS_ERROR_TRACKING_URI"};
  if (field_json(e.fields.view(), "cause") == "\"blocked\"")
    return true;
  if (e.kind == telemetry_kind::log && contains_any(e.message.view(), texts))
    return true;
  if (!is_request(e) || e.status > 0)
    return false;
  const auto error = field_text(e.fields, "error");
  if (contains_any(e.message.view(), texts) || contains_any(error.view(), texts))
    return true;
  const auto url = request_url(e);
  return is_tracker(take_apart(url.view()).host);
}

// Advice of frameworks that they print as errors in development.
bool is_advice(const event& e) {
  constexpr std::array<std::string_view, 14> starts{"Warning: ",
                                                    "Each child in a list should have a unique",
                                                    "Encountered two children with the same key",
                                                    "React does not recognize the",
                                                    "Invalid DOM property",
                                                    "validateDOMNesting",
                                                    "A component is changing an uncontrolled input",
                                                    "A component is changing a controlled input",
                                                    "You provided a `value` prop to a form field",
                                                    "Can't perform a React state update on",
                                                    "Cannot update a component (",
                                                    "Failed prop type",
                                                    "The tag <",
                                                    "Received `"};
  constexpr std::array<std::string_view, 3> parts{"was not wrapped in act(",
                                                  "for a non-boolean attribute",
                                                  "ReactDOM.render is no longer supported"};
  if (e.kind != telemetry_kind::log || e.type != entry_type::console)
    return false;
  const auto text = e.message.view();
  if (contains(text.substr(0, 512), "ydrat"))
    return false;
  return starts_with_any(text, starts) || contains_any(text.substr(0, 512), parts);
}

struct builtin_check {
  builtin_noise rule;
  bool (*meets)(const event&);
};

constexpr std::array<builtin_check, builtin_noise_count> checks{{
    {builtin_noise::on_purpose, is_on_purpose},
    {builtin_noise::extension, is_from_extension},
    {builtin_noise::script_error, is_script_error},
    {builtin_noise::resize_observer, is_resize_observer},
    {builtin_noise::opaque_rejection, is_opaque_rejection},
    {builtin_noise::aborted_request, is_aborted_request},
    {builtin_noise::favicon, is_missing_favicon},
    {builtin_noise::preflight, is_refused_preflight},
    {builtin_noise::hot_reload, is_hot_reload},
    {builtin_noise::blocked, is_blocked},
    {builtin_noise::probe, is_missing_probe},
    {builtin_noise::advice, is_advice},
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
  e.kind = telemetry_kind::body;
  e.name = method;
  e.url = url;
  e.status = status;
  e.message = error;
  return e;
}

event advice_sample(literal message) {
  auto e = exception_sample(message, "");
  e.type = entry_type::console;
  return e;
}

event on_purpose_sample() {
  auto e = request_sample("GET", "https://app.test/api", 0, "TypeError: Failed to fetch");
  e.fields = literal{R"("cause":"navigation")"};
  return e;
}

event close_sample(literal url) {
  event e;
  e.kind = telemetry_kind::socket;
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
  case builtin_noise::on_purpose:
    return "what the page script knows to be on purpose: aborted, left, offline, restarting";
  case builtin_noise::blocked:
    return "requests blocked in the browser by an extension or filter list";
  case builtin_noise::probe:
    return "missing icons, manifests, source maps and other files asked for by convention";
  case builtin_noise::advice:
    return "advice that frameworks print as errors in development";
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
      {request_sample("POST", "https://www.google-analytics.com/g/collect", 0, ""),
       builtin_noise::blocked},
      {request_sample("GET", "https://app.test/manifest.webmanifest", 404, ""),
       builtin_noise::probe},
      {advice_sample("Warning: Each child in a list should have a unique \"key\" prop."),
       builtin_noise::advice},
      {on_purpose_sample(), builtin_noise::on_purpose},
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
