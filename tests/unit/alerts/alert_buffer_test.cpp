#include "actors/alerts/alert_buffer.hpp"
#include "tests/unit/support/alert_samples.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace gasoline;
using namespace gasoline::test;

namespace {

struct buffer_fixture {
  virtual_system vs;
  alert_buffer_actor buffer = vs.own(vs.sys.spawn(alert_buffer, limits{}));

  void append(alert a, ticket_ptr ticket = nullptr) {
    caf::anon_send(buffer, alert_atom_v, share(std::move(a)), std::move(ticket));
    vs.settle();
  }

  alert_block drain(client_id client) {
    auto answer = vs.ask<alert_block>(buffer, drain_atom_v, client);
    REQUIRE(answer);
    return *answer;
  }

  alert_listing list(client_id client) {
    auto answer = vs.ask<alert_listing>(buffer, list_atom_v, client);
    REQUIRE(answer);
    return *answer;
  }

  void mark_told(client_id client, told_alerts told) {
    caf::anon_send(buffer, clear_atom_v, client, std::move(told));
    vs.settle();
  }
};

} // namespace

TEST_CASE("a fresh buffer gives no block") {
  buffer_fixture f;
  const auto block = f.drain(first_client);
  CHECK(block.text.empty());
  CHECK(block.shown == 0);
}

TEST_CASE("a drain tells everything once, to each client") {
  buffer_fixture f;
  f.append(error_alert(1));
  f.append(error_alert(2));
  CHECK(f.drain(first_client).shown == 2);
  CHECK(f.drain(first_client).text.empty());
  CHECK(f.drain(second_client).shown == 2);
  f.append(error_alert(3));
  CHECK(f.drain(first_client).shown == 1);
}

TEST_CASE("60 equal alerts, then observe twice") {
  buffer_fixture f;
  for (int i = 0; i < 60; ++i)
    f.append(error_alert(1));
  const auto block = f.drain(first_client);
  CHECK(block.shown == 1);
  CHECK(block.text.find("\"count\":60") != std::string::npos);
  CHECK(f.drain(first_client).text.empty());
}

TEST_CASE("what did not fit comes with the next drain") {
  virtual_system vs;
  limits limit;
  limit.alert.block_bytes = 500;
  const auto buffer = vs.own(vs.sys.spawn(alert_buffer, limit));
  for (std::uint64_t i = 1; i <= 5; ++i)
    caf::anon_send(buffer, alert_atom_v, share(error_alert(i)), ticket_ptr{});
  std::uint64_t told = 0;
  for (int i = 0; i < 5; ++i) {
    const auto block = vs.ask<alert_block>(buffer, drain_atom_v, first_client);
    REQUIRE(block);
    told += block->shown;
    CHECK(told + block->left == 5);
    if (block->left == 0)
      break;
  }
  CHECK(told == 5);
}

TEST_CASE("a listing is newest first and tells which alerts are unread") {
  buffer_fixture f;
  f.append(error_alert(1));
  CHECK(f.drain(first_client).shown == 1);
  f.append(error_alert(2));
  const auto listing = f.list(first_client);
  REQUIRE(listing.items.size() == 2);
  CHECK(nlohmann::json::parse(listing.items[0].text).at("id") == "alert_2");
  CHECK(listing.items[0].unread);
  CHECK_FALSE(listing.items[1].unread);
  CHECK(f.list(second_client).items[1].unread);
}

TEST_CASE("what a listing did not show stays unread") {
  buffer_fixture f;
  f.append(error_alert(1));
  f.append(error_alert(2));
  f.mark_told(first_client, {{{2, 1}}});
  CHECK(f.drain(first_client).text.find("alert_1") != std::string::npos);
  CHECK(f.drain(first_client).text.empty());
}

TEST_CASE("what comes between a listing and its mark stays unread: new ones and repeats") {
  buffer_fixture f;
  f.append(error_alert(1));
  f.append(error_alert(2));
  const auto listing = f.list(first_client);
  told_alerts told;
  for (const auto& item : listing.items)
    told.alerts.push_back({item.id, item.count});
  f.append(error_alert(2));
  f.append(error_alert(3));
  f.mark_told(first_client, std::move(told));
  const auto block = f.drain(first_client);
  CHECK(block.shown == 2);
  CHECK(block.ids == std::vector<std::uint64_t>{2, 3});
  CHECK(f.drain(first_client).text.empty());
}

TEST_CASE("a block that did not reach its client is told again, to that client") {
  buffer_fixture f;
  f.append(error_alert(1));
  CHECK(f.drain(second_client).shown == 1);
  const auto lost = f.drain(first_client);
  f.append(error_alert(2));
  caf::anon_send(f.buffer, forget_atom_v, first_client, lost.ids);
  CHECK(f.drain(first_client).shown == 2);
  CHECK(f.drain(first_client).text.empty());
  CHECK(f.drain(second_client).shown == 1);
}

TEST_CASE("clear marks read for the caller only, forget drops its position") {
  buffer_fixture f;
  f.append(error_alert(1));
  caf::anon_send(f.buffer, clear_atom_v, first_client);
  f.vs.settle();
  CHECK(f.drain(first_client).text.empty());
  CHECK(f.drain(second_client).shown == 1);
  caf::anon_send(f.buffer, forget_atom_v, first_client);
  CHECK(f.drain(first_client).shown == 1);
}

TEST_CASE("the ticket is released once the alert is in the buffer, not before") {
  buffer_fixture f;
  bool released = false;
  {
    auto ticket = std::make_shared<const ingest_ticket>([&released] { released = true; });
    caf::anon_send(f.buffer, alert_atom_v, share(error_alert(1)), ticket_ptr{std::move(ticket)});
  }
  CHECK_FALSE(released);
  f.vs.settle();
  CHECK(released);
  CHECK(f.drain(first_client).shown == 1);
}

TEST_CASE("the buffer's health tells entries, merges and losses") {
  buffer_fixture f;
  for (std::uint64_t i = 1; i <= 52; ++i)
    f.append(error_alert(i));
  f.append(error_alert(52));
  const auto health = f.vs.ask<health_part>(f.buffer, health_atom_v);
  REQUIRE(health);
  CHECK((*health)->at("alerts").at("buffered") == 50);
  CHECK((*health)->at("alerts").at("merged") == 1);
  CHECK((*health)->at("dropped").at("alerts_unread") == 2);
}
