// Messages of a browser, one a line, read as the pages' console, errors, issues, requests and
// sockets: each entry that comes of them is JSON of bounded size, and what is kept of requests
// stays bounded.
#include "actors/browser/cdp/cdp_message.hpp"
#include "actors/browser/entries/console_entries.hpp"
#include "actors/browser/entries/issue_entries.hpp"
#include "actors/browser/entries/request_watch.hpp"
#include "actors/browser/entries/socket_sampler.hpp"
#include "actors/browser/pages/world_table.hpp"
#include "config/settings.hpp"
#include "tests/fuzz/json_mutation.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace gasoline;

namespace {

constexpr std::uint64_t most_requests = 8;
constexpr const char* now = "2026-01-01T00:00:00.000Z";

void check_entry(const std::string& entry, std::size_t message) {
  if (entry.empty())
    return;
  if (nlohmann::json::parse(entry, nullptr, false).is_discarded())
    std::abort();
  if (entry.size() > 65'536 + 8 * message) // escapes make text longer
    std::abort();
}

void check_end(const std::optional<ended_request>& ended, const entry_place& place,
               std::size_t message) {
  if (!ended)
    return;
  check_entry(timing_entry(*ended, place), message);
  check_entry(body_entry(*ended, place, body_reason(*ended)), message);
}

void check_message(const std::string& line, request_watch& requests, socket_sampler& sockets) {
  static cdp_reader reader;
  const auto message = reader.read(line);
  if (!message)
    return;
  const entry_place place{"http://localhost/", "L1", "p1", "", true};
  const auto& content = message->content;
  const auto size = line.size();
  const limits limit;
  if (message->method == "Runtime.consoleAPICalled")
    check_entry(console_entry(content, place, limit), size);
  else if (message->method == "Runtime.exceptionThrown")
    check_entry(exception_entry(content, place), size);
  else if (message->method == "Log.entryAdded")
    check_entry(browser_entry(content, place), size);
  else if (message->method == "Audits.issueAdded")
    check_entry(issue_entry(content, place, now), size);
  else if (message->method == "Network.requestWillBeSent")
    check_end(requests.sent(content), place, size);
  else if (message->method == "Network.responseReceived")
    requests.answered(content);
  else if (message->method == "Network.loadingFinished")
    check_end(requests.finished(content), place, size);
  else if (message->method == "Network.loadingFailed")
    check_end(requests.failed(content), place, size);
  check_entry(sockets.told(message->method, content, place, now), size);
  if (requests.awaited() > most_requests)
    std::abort();
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_json(data, size, most, seed, 0);
}

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text{reinterpret_cast<const char*>(data), size};
  request_watch requests{most_requests};
  socket_sampler sockets;
  // A list of messages, as the mutator keeps it, else lines.
  const auto list = nlohmann::json::parse(text, nullptr, false);
  if (list.is_array()) {
    for (const auto& each : list)
      check_message(each.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), requests,
                    sockets);
    return 0;
  }
  while (!text.empty()) {
    const auto end = text.find('\n');
    check_message(std::string{text.substr(0, end)}, requests, sockets);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  if (const auto handle = parse_handle({reinterpret_cast<const char*>(data), size}))
    if (parse_handle(handle_text(handle->world, handle->element)).value().element !=
        handle->element)
      std::abort();
  return 0;
}
