#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/base/time.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Who sends, by wire format and by program: when each sent last, and what of it was refused, and
/// why. Of programs the first 32 are named and the others counted.
class sender_log {
 public:
  /// `engine` masks what senders say of themselves.
  explicit sender_log(std::shared_ptr<const redaction_engine> engine)
      : engine_(std::move(engine)) {}

  /// A body was taken, or what of it could be.
  void note_body(std::string_view format, const decoded_body& body, wall_time now);

  /// A body was refused as a whole.
  void note_refusal(std::string_view format, std::string_view why, wall_time now);

  /// When something last came in each format: `{"logs":"2026-…","ci":null}`.
  nlohmann::json sources() const;

  /// `{"sentry":{"last":…,"bodies":n,"refused":n,"refused_last":…,"why":…}}` of those that sent
  /// anything.
  nlohmann::json senders() const;

  /// `{"checkout":{"origin":"sentry","last":…}}`, with `unnamed` for how many have no place.
  nlohmann::json services() const;

 private:
  static constexpr std::size_t most_services = 32;

  struct sender {
    std::uint64_t bodies = 0;
    std::uint64_t refused = 0; ///< bodies and entries
    std::optional<wall_time> last;
    std::optional<wall_time> refused_last;
    redacted_text why; ///< of the last refusal
  };

  struct service {
    redacted_text name;
    event_origin origin = event_origin::page;
    wall_time last{};
  };

  void note_service(const raw_event& e, wall_time now);
  void note_reason(sender& who, std::string_view why, std::uint64_t count, wall_time now);

  std::shared_ptr<const redaction_engine> engine_;
  std::map<std::string_view, sender> senders_;
  std::map<std::string, service> services_; ///< by origin and the name as it came
  std::uint64_t unnamed_ = 0;
};

} // namespace gasoline
