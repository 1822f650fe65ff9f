#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"
#include "actors/ingest/formats/otlp/otlp_records.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// Makes events of what OTLP says: error logs, failed spans and exceptions become errors, requests
/// that a service has answered become requests with their time, other log records log entries.
/// Spans without fault, and metrics, are counted only.
class otlp_events {
 public:
  explicit otlp_events(const decode_context& context) : context_(context) {}

  /// What follows comes from the service that these attributes describe.
  void begin_resource(const otlp_attributes& attributes);

  void add(const otlp_log& log);
  void add(const otlp_span& span);

  /// Counts data points of a metric.
  void count_points(std::uint64_t points) {
    out_.received += points;
    (is_agent_ ? out_.set_apart : out_.counted_only) += points;
  }

  /// Counts a record that is refused, and why.
  void refuse(std::string why);

  /// Tells the sender something about the whole body.
  void remark(std::string sentence) { out_.remark = std::move(sentence); }

  /// Whether the body may hold another record; one beyond is refused.
  bool has_room();

  /// What the body held. Called once.
  decoded_body take();

 private:
  raw_event& begin_event(telemetry_kind kind, std::uint64_t time_ns);
  void add_exception(const otlp_attributes& attributes, std::uint64_t time_ns, const otlp_id& trace,
                     const otlp_id& span, const otlp_id& parent, std::string_view span_name);
  void add_failure(const otlp_span& span);
  void add_request(const otlp_span& span);

  void explain_failed_requests();

  const decode_context& context_;
  decoded_body out_;
  std::map<std::string, std::size_t, std::less<>> thrown_; ///< first exception of each trace
  std::vector<std::pair<std::string, std::size_t>> failed_requests_; ///< that do not say why
  std::string service_;
  std::int64_t pid_ = 0;
  bool is_agent_ = false;
  bool has_requests_ = false;
};

/// Whether a service of that name is a coding agent that exports telemetry of its own: what it says
/// about itself must not become an alert that it then reads.
bool is_coding_agent(std::string_view service);

} // namespace gasoline
