#include "tools/bench/peers/otlp_body.hpp"

#include "actors/ingest/formats/otlp/protozero_text.hpp"

#include <chrono>
#include <cstdint>
#include <random>

namespace gasoline::bench {
namespace {

using protozero::pbf_writer;

void add_text_attribute(pbf_writer& parent, protozero::pbf_tag_type field, const std::string& key,
                        const std::string& value) {
  pbf_writer attribute{parent, field};
  attribute.add_string(1, key);
  pbf_writer any{attribute, 2};
  any.add_string(1, value);
}

std::uint64_t nanoseconds_now() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

/// An id as SDKs make them: any bytes, other ones for each record.
std::string id_of(std::size_t n, std::size_t bytes) {
  std::minstd_rand random{static_cast<std::uint32_t>(n + 1)};
  std::string out;
  while (out.size() < bytes)
    out += static_cast<char>(random() & 0xFFU);
  return out;
}

void add_record(pbf_writer& scope, std::size_t n, std::uint64_t now) {
  constexpr std::uint32_t info = 9;
  pbf_writer record{scope, 2};
  record.add_fixed64(1, now);
  record.add_uint32(2, info);
  record.add_string(3, "INFO");
  {
    pbf_writer body{record, 5};
    body.add_string(1, "[HMR] Updated modules: ./src/app.tsx ./src/dashboard.tsx, revision " +
                           std::to_string(1'000'000 + n));
  }
  add_text_attribute(record, 6, "url", "http://localhost:3000/dashboard?tab=2");
  add_text_attribute(record, 6, "source", "app.js:120");
  record.add_bytes(9, id_of(n, 16));
  record.add_bytes(10, id_of(n, 8));
}

} // namespace

std::string otlp_log_body(std::size_t first, std::size_t count) {
  std::string out;
  const auto now = nanoseconds_now();
  pbf_writer request{out};
  pbf_writer resource_logs{request, 1};
  {
    pbf_writer resource{resource_logs, 1};
    add_text_attribute(resource, 1, "service.name", "checkout-api");
  }
  pbf_writer scope{resource_logs, 2};
  for (std::size_t i = 0; i < count; ++i)
    add_record(scope, first + i, now);
  scope.commit();
  resource_logs.commit();
  return out;
}

} // namespace gasoline::bench
