#pragma once

#include "config/settings.hpp"
#include "messages/base/time.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <string_view>

namespace gasoline {

/// Signs the `requestState` of multi-round-trip results and checks what comes back (2026-07-28).
/// The client can read the state but can neither
/// change it, nor use it late, for another request, or as another client. The key is made at random
/// and lives in memory only, so a state ends with the process.
class request_state_seal {
 public:
  request_state_seal();

  /// `client` and `request` say who may use it for what; they are not part of the text.
  std::string seal(const nlohmann::json& state, std::string_view client, std::string_view request,
                   mono_time expires) const;

  /// The state, or a sentence why it is refused.
  result_or<nlohmann::json> open(std::string_view sealed, std::string_view client,
                                 std::string_view request, mono_time now) const;

 private:
  std::string signature(std::string_view payload, std::string_view client,
                        std::string_view request) const;

  std::array<unsigned char, 32> key_{};
};

} // namespace gasoline
