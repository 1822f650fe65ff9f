// The head of a request, cut at arbitrary places, and what the router makes of it: every head that
// parses gets a plan, and a page of a foreign origin or a program of another user never a route.
#include "transport/http/http_head.hpp"
#include "transport/http/http_router.hpp"

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

namespace {

const http_router& router() {
  static const http_router made = [] {
    http_router out{{.owner_token = "owner"}, limits{}};
    out.add({"GET", "/streams/{stream}/events", 0, [](const http_call&, const http_reply&) {},
             http_right::use});
    out.add({"POST", "/mcp", 1000, [](const http_call&, const http_reply&) {}, http_right::use});
    return out;
  }();
  return made;
}

void check(http_request_view head) {
  head.user = peer_user::own;
  const auto own = router().plan(head);
  if (!own.answer && own.route == nullptr)
    std::abort();
  const auto shows_token =
      head.field("Authorization").value_or("").find("owner") != std::string_view::npos;
  head.user = peer_user::other;
  const auto other = router().plan(head);
  if (!shows_token && other.route != nullptr && !other.answer)
    std::abort();
  if (head.origin && head.origin->find("evil") != std::string_view::npos &&
      head.origin->find("localhost") == std::string_view::npos && own.route != nullptr &&
      !own.answer)
    std::abort();
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace http = boost::beast::http;
  if (size == 0)
    return 0;
  const std::size_t step = data[0] + 1U;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  http::request_parser<http::string_body> parser;
  parser.header_limit(4096);
  parser.body_limit(4096);
  std::string waiting;
  for (std::size_t i = 0; i < bytes.size() && !parser.is_done(); i += step) {
    waiting += bytes.substr(i, step);
    boost::system::error_code ec;
    const bool had_head = parser.is_header_done();
    const auto used = parser.put(boost::asio::buffer(waiting), ec);
    waiting.erase(0, used);
    if (!had_head && parser.is_header_done())
      check(view_of(parser.get().base()));
    if (ec && ec != http::error::need_more)
      return 0;
  }
  return 0;
}
