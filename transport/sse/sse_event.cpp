#include "transport/sse/sse_event.hpp"

namespace gasoline {
namespace {

std::string named_event(std::string_view name, std::string_view data) {
  std::string out;
  out.reserve(name.size() + data.size() + 16);
  out.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
  return out;
}

} // namespace

std::string sse_message(std::string_view data) {
  return named_event("message", data);
}

std::string sse_endpoint(std::string_view path) {
  return named_event("endpoint", path);
}

std::string sse_priming(std::uint64_t retry_ms) {
  return "retry: " + std::to_string(retry_ms) + "\ndata: \n\n";
}

} // namespace gasoline
