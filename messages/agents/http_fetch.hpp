#pragma once

#include "config/settings.hpp"
#include "messages/agents/session_atoms.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// Header names and values, in order.
using header_fields = std::vector<std::pair<std::string, std::string>>;

/// One request to a server elsewhere. Headers may hold a key: never logged or shown.
struct fetch_request {
  std::string method = "POST";
  std::string url;       ///< http or https, absolute
  header_fields headers; ///< `Host`, `Content-Length` and `Connection` are added
  std::string body;
  bool local_only = false; ///< connects to addresses of this machine only, whatever the name
};

/// The beginning of an answer.
struct fetch_head {
  int status = 0;
  header_fields headers; ///< names in lower case
};

/// Why an answer did not come, or not to its end.
enum class fetch_problem : std::uint8_t {
  unreachable, ///< no such host, no connection, no valid certificate
  timeout,     ///< nothing came for too long
  cut_off,     ///< the connection ended in the middle
  malformed,   ///< what came is no HTTP
  too_large,   ///< the answer is longer than the cap
  refused      ///< an answer that is not followed, such as a redirect
};

/// The end of an answer that is not whole.
struct fetch_failure {
  fetch_problem problem = fetch_problem::unreachable;
  std::string message; ///< a sentence; holds no header
};

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::fetch_head)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::fetch_failure)

namespace gasoline {

/// Whoever has started a fetch.
using fetch_reader = caf::typed_actor<
    // The answer begins; told once.
    caf::reacts_to<open_atom, fetch_head>,
    // The next bytes of the body, without its transfer coding.
    caf::reacts_to<receive_atom, std::string>,
    // The answer is whole; nothing follows.
    caf::reacts_to<finished_atom>,
    // It is not; nothing follows.
    caf::reacts_to<closed_atom, fetch_failure>>;

/// A fetch under way. Lives on the io thread.
class http_fetch {
 public:
  virtual ~http_fetch() = default;

  /// Drops the connection; nothing is told afterwards but what was sent before.
  virtual void cancel() = 0;
};

/// Makes requests to servers elsewhere. Calls return at once; used on the io thread, which runs the
/// actors.
class http_fetcher {
 public:
  virtual ~http_fetcher() = default;

  /// Starts a request and tells `reader` what comes.
  virtual std::shared_ptr<http_fetch> start(fetch_request request, fetch_reader reader) = 0;
};

} // namespace gasoline
