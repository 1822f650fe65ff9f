#pragma once

#include "messages/agents/http_fetch.hpp"
#include "tools/replay/scenario.hpp"

#include <caf/actor_system.hpp>

#include <map>
#include <memory>
#include <string>

namespace gasoline {

/// The servers of a scenario: answers fetches with what its `serve` steps say, in virtual time. At
/// an address that no step names nobody listens.
class scenario_server final : public http_fetcher {
 public:
  /// `system` outlives this.
  explicit scenario_server(caf::actor_system& system) : system_(system) {}

  /// From now on that address is answered so.
  void serve(serve_step step);

  std::shared_ptr<http_fetch> start(fetch_request request, fetch_reader reader) override;

 private:
  caf::actor_system& system_;
  std::map<std::string, serve_step> files_;
};

} // namespace gasoline
