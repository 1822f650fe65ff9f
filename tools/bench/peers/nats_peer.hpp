#pragma once

#include <optional>

namespace gasoline::bench {

/// What nats-server does for its C client on this machine.
struct nats_rates {
  double publish_per_second = 0; ///< events of 1 KB, kept in memory by JetStream and acknowledged
  double few_filters_ns = 0;     ///< per publish, beside 100 wildcard subscriptions
  double many_filters_ns = 0;    ///< the same beside 10,000
};

/// Starts a server of its own; nothing where nats-server or its C client is missing.
std::optional<nats_rates> measure_nats(double seconds);

} // namespace gasoline::bench
