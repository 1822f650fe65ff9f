#include "actors/alerts/alert_buffer.hpp"
#include "actors/alerts/alert_hub.hpp"
#include "messages/base/spawned_alone.hpp"
#include "tests/unit/support/alert_samples.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

namespace {

using seen_alerts = std::shared_ptr<std::vector<alert_ptr>>;

struct hub_fixture {
  virtual_system vs;
  alert_buffer_actor buffer = vs.own(vs.sys.spawn(alert_buffer, limits{}, buffer_surroundings{}));
  alert_hub_actor hub = vs.own(vs.sys.spawn(alert_hub, buffer, limits{}));

  alert_sink join(const seen_alerts& seen) {
    auto client = vs.own(vs.sys.spawn(
        [seen](alert_sink::pointer, spawned_alone) -> alert_sink::behavior_type {
          return {[seen](alert_atom, const alert_ptr& a) { seen->push_back(a); }};
        },
        spawned_alone{}));
    caf::anon_send(hub, join_atom_v, client);
    vs.settle();
    return client;
  }

  void raise(std::vector<alert> alerts, ticket_ptr ticket = nullptr) {
    auto batch = std::make_shared<alert_batch>();
    batch->alerts = std::move(alerts);
    batch->ticket = std::move(ticket);
    caf::anon_send(hub, alert_atom_v, std::move(batch));
  }

  std::uint64_t buffered() {
    auto listing = vs.ask<alert_listing>(buffer, list_atom_v, client_id{99});
    REQUIRE(listing);
    return listing->items.size();
  }
};

redacted_text repeated(literal part, std::size_t times) {
  redacted_text out;
  for (std::size_t i = 0; i < times; ++i)
    out += part;
  return out;
}

} // namespace

TEST_CASE("alerts get rising ids and reach the buffer and every client in order") {
  hub_fixture f;
  const auto one = std::make_shared<std::vector<alert_ptr>>();
  const auto two = std::make_shared<std::vector<alert_ptr>>();
  f.join(one);
  f.join(two);
  f.raise({error_alert(0), network_alert(0, literal{"/api"})});
  f.raise({regression_alert(0)});
  f.vs.settle();
  REQUIRE(one->size() == 3);
  REQUIRE(two->size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK((*one)[i]->id == i + 1);
    CHECK((*one)[i] == (*two)[i]);
  }
  CHECK(f.buffered() == 3);
}

TEST_CASE("recurrence counts earlier alerts with the same key") {
  hub_fixture f;
  const auto seen = std::make_shared<std::vector<alert_ptr>>();
  f.join(seen);
  f.raise({error_alert(1), error_alert(1), error_alert(2)});
  f.vs.advance(31s);
  f.raise({error_alert(1)});
  f.vs.settle();
  REQUIRE(seen->size() == 4);
  CHECK((*seen)[0]->recurrence == 0);
  CHECK((*seen)[1]->recurrence == 1);
  CHECK((*seen)[2]->recurrence == 0);
  CHECK((*seen)[3]->recurrence == 2);
}

TEST_CASE("the recurrence memory is bounded and forgets what was not seen for longest") {
  alert_recurrence r{2};
  CHECK(r.count("a", 1) == 0);
  CHECK(r.count("b", 1) == 0);
  CHECK(r.count("a", 1) == 1);
  CHECK(r.count("c", 1) == 0);
  CHECK(r.size() == 2);
  CHECK(r.count("a", 1) == 2);
  CHECK(r.count("b", 1) == 0);
}

TEST_CASE("a client that joins twice is told once, one that ended not at all") {
  hub_fixture f;
  const auto seen = std::make_shared<std::vector<alert_ptr>>();
  const auto client = f.join(seen);
  caf::anon_send(f.hub, join_atom_v, client);
  f.raise({error_alert(1)});
  f.vs.settle();
  CHECK(seen->size() == 1);
  caf::anon_send_exit(client, caf::exit_reason::user_shutdown);
  f.vs.settle();
  f.raise({error_alert(2)});
  f.vs.settle();
  CHECK(seen->size() == 1);
  CHECK(f.buffered() == 2);
}

TEST_CASE("texts are cut at the hub, and long keys that differ stay different") {
  hub_fixture f;
  const limits limit;
  const auto seen = std::make_shared<std::vector<alert_ptr>>();
  f.join(seen);
  auto big = network_alert(1, repeated("https://example.test/", 1'000));
  big.title = repeated("title ", 1'000);
  big.detail = repeated("detail ", 1'000);
  big.context->headers = redacted(literal{"\"x\":\""}, repeated("h", 100'000), literal{"\""});
  big.dedup_key = redacted(repeated("k", 1'000), 1);
  auto other = big;
  other.dedup_key = redacted(repeated("k", 1'000), 2);
  f.raise({big, other});
  f.vs.settle();
  REQUIRE(seen->size() == 2);
  const auto& a = *(*seen)[0];
  CHECK(a.title.size() <= limit.alert.title_bytes);
  CHECK(a.detail.size() <= limit.alert.detail_bytes);
  CHECK(a.url.size() <= limit.entry.url_bytes);
  CHECK(a.context->url.size() <= limit.alert.url_bytes);
  CHECK(a.context->headers.empty());
  CHECK(a.dedup_key.size() <= limit.alert.key_bytes);
  CHECK(a.dedup_key.str() != (*seen)[1]->dedup_key.str());
  CHECK(f.buffered() == 2);
}

TEST_CASE("the ticket lives until the buffer holds every alert of the batch") {
  hub_fixture f;
  bool released = false;
  std::uint64_t buffered_at_release = 0;
  f.raise({error_alert(1), error_alert(2)},
          std::make_shared<const ingest_ticket>([&released] { released = true; }));
  CHECK_FALSE(released);
  f.vs.settle();
  CHECK(released);
  buffered_at_release = f.buffered();
  CHECK(buffered_at_release == 2);
}

TEST_CASE("the hub's health tells how many alerts were raised") {
  hub_fixture f;
  f.raise({error_alert(1), error_alert(1)});
  const auto health = f.vs.ask<health_part>(f.hub, health_atom_v);
  REQUIRE(health);
  CHECK((*health)->at("alerts").at("raised") == 2);
}
