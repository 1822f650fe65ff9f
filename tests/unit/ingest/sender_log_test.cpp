#include "actors/ingest/sender_log.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
namespace {

sender_log make_log() {
  return sender_log{std::make_shared<const redaction_engine>(std::vector<redaction_rule>{})};
}

decoded_body body_of(std::string service) {
  decoded_body out;
  out.received = 1;
  out.events.emplace_back();
  out.events[0].origin = event_origin::sentry;
  out.events[0].service = std::move(service);
  return out;
}

} // namespace

TEST_CASE("each sender is told with its last time and the reason of its last refusal, masked") {
  auto log = make_log();
  const auto noon = *from_iso8601("2026-01-28T12:00:00Z");
  log.note_body("sentry", body_of("shop"), noon);
  log.note_refusal("sentry", "No: password=hunter2hunter2", noon + std::chrono::seconds{1});
  CHECK(log.sources().at("sentry") == "2026-01-28T12:00:00.000Z");
  CHECK(log.sources().at("logs").is_null());
  const auto row = log.senders().at("sentry");
  CHECK(row.at("last") == "2026-01-28T12:00:00.000Z");
  CHECK(row.at("bodies") == 2);
  CHECK(row.at("refused") == 1);
  CHECK(row.at("refused_last") == "2026-01-28T12:00:01.000Z");
  CHECK(row.at("why").get<std::string>().find("hunter2") == std::string::npos);
  CHECK_FALSE(log.senders().contains("logs"));
  CHECK(log.services().at("shop").at("origin") == "sentry");
}

TEST_CASE("services beyond the first are counted") {
  auto log = make_log();
  for (int i = 0; i < 40; ++i)
    log.note_body("sentry", body_of("service " + std::to_string(i)), wall_time{});
  CHECK(log.services().size() == 33);
  CHECK(log.services().at("unnamed") == 8);
}

} // namespace gasoline
