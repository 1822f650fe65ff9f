#include "actors/alerts/alert_buffer.hpp"
#include "tests/unit/support/alert_samples.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

using namespace gasoline;
using namespace gasoline::test;

namespace {

struct buffer_fixture {
  virtual_system vs;
  alert_ledger_actor buffer = vs.own(vs.sys.spawn(alert_buffer, limits{}, buffer_surroundings{}));

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

  template <class... Ts>
  void tell(Ts... message) {
    caf::anon_send(buffer, std::move(message)...);
    vs.settle();
  }

  hook_answer hook(const hook_question& question) {
    auto answer = vs.ask<hook_answer>(buffer, hook_atom_v, question);
    REQUIRE(answer);
    return *answer;
  }

  reader_report report(client_id client) {
    auto answer = vs.ask<reader_report>(buffer, status_atom_v, client);
    REQUIRE(answer);
    return *answer;
  }
};

hook_question question(std::string conversation, agent_place place = {}) {
  hook_question out;
  out.agent = "claude";
  out.conversation = std::move(conversation);
  out.place = std::move(place);
  return out;
}

std::uint64_t count(const reader_report& report, shown_channel by) {
  return report.shown[static_cast<std::size_t>(by)];
}

const agent_place claude{{{100, 7}}, "/home/user/project"};

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
  const auto buffer = vs.own(vs.sys.spawn(alert_buffer, limit, buffer_surroundings{}));
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
  f.tell(shown_atom_v, first_client, told_alerts{{{2, 1}}}, shown_channel::listing);
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
  f.tell(shown_atom_v, first_client, std::move(told), shown_channel::listing);
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
  f.tell(forget_atom_v, first_client, lost.ids);
  CHECK(f.drain(first_client).shown == 2);
  CHECK(f.drain(first_client).text.empty());
  CHECK(f.drain(second_client).shown == 1);
}

TEST_CASE("clear passes over everything for the caller only, forget drops its position") {
  buffer_fixture f;
  f.append(error_alert(1));
  f.tell(clear_atom_v, first_client);
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

TEST_CASE("a hook tells what its conversation has not seen, once") {
  buffer_fixture f;
  CHECK(f.hook(question("a")).text.empty());
  f.append(error_alert(1));
  const auto answer = f.hook(question("a"));
  CHECK(answer.text.find("alert_1") != std::string::npos);
  CHECK(answer.told == std::vector<std::uint64_t>{1});
  CHECK(f.hook(question("a")).text.empty());
  CHECK_FALSE(f.hook(question("b")).text.empty());
}

TEST_CASE("what a hook has told is no longer in the block of the same agent's client, nor the "
          "other way") {
  buffer_fixture f;
  f.tell(join_atom_v, first_client, claude);
  f.append(error_alert(1));
  CHECK_FALSE(f.hook(question("a", claude)).text.empty());
  CHECK(f.drain(first_client).text.empty());
  CHECK(f.drain(second_client).shown == 1);
  f.append(error_alert(2));
  CHECK(f.drain(first_client).shown == 1);
  CHECK(f.hook(question("a", claude)).text.empty());
  const auto report = f.report(first_client);
  CHECK(report.conversation == "a");
  CHECK(report.raised == 2);
  CHECK(count(report, shown_channel::hook) == 1);
  CHECK(count(report, shown_channel::block) == 1);
  CHECK(report.pending == 0);
}

TEST_CASE("an alert shown before the conversation was known is not shown again") {
  buffer_fixture f;
  f.append(error_alert(1));
  f.tell(join_atom_v, first_client, claude);
  CHECK(f.drain(first_client).shown == 1);
  CHECK(f.hook(question("a", claude)).text.empty());
}

TEST_CASE("a hook that came before the client shares what it has told") {
  buffer_fixture f;
  f.append(error_alert(1));
  CHECK_FALSE(f.hook(question("a", claude)).text.empty());
  f.tell(join_atom_v, first_client, claude);
  CHECK(f.drain(first_client).text.empty());
}

TEST_CASE("a conversation outlives its connection") {
  buffer_fixture f;
  f.tell(join_atom_v, first_client, claude);
  f.append(error_alert(1));
  CHECK(f.drain(first_client).shown == 1);
  f.tell(forget_atom_v, first_client);
  f.tell(join_atom_v, second_client, claude);
  CHECK(f.drain(second_client).text.empty());
}

TEST_CASE("after compaction everything that is kept is told again") {
  buffer_fixture f;
  f.append(error_alert(1));
  CHECK_FALSE(f.hook(question("a")).text.empty());
  auto compacted = question("a");
  compacted.compacted = true;
  CHECK(f.hook(compacted).text.find("alert_1") != std::string::npos);
  CHECK(f.hook(question("a")).text.empty());
}

TEST_CASE("the same fault is told again by a hook only when it is worse") {
  buffer_fixture f;
  auto fault = error_alert(1);
  f.append(with_level(fault, severity::warning));
  CHECK_FALSE(f.hook(question("a")).text.empty());
  fault.id = 2;
  f.append(with_level(fault, severity::warning));
  CHECK(f.hook(question("a")).text.empty());
  fault.id = 3;
  f.append(fault);
  CHECK(f.hook(question("a")).text.find("alert_2") != std::string::npos);
}

TEST_CASE("the end of a run is held up by errors only, once") {
  buffer_fixture f;
  f.append(with_level(error_alert(1), severity::warning));
  auto stop = question("a");
  stop.errors_only = true;
  CHECK(f.hook(stop).text.empty());
  f.append(error_alert(2));
  CHECK(f.hook(stop).told == std::vector<std::uint64_t>{2});
  CHECK(f.hook(stop).text.empty());
  CHECK(f.hook(question("a")).told == std::vector<std::uint64_t>{1});
}

TEST_CASE("what a hook could not print comes with the next one") {
  buffer_fixture f;
  f.append(error_alert(1));
  const auto lost = f.hook(question("a"));
  f.tell(cancel_atom_v, lost.reader, lost.told);
  CHECK(f.hook(question("a")).told == lost.told);
}

TEST_CASE("a push is sent, not shown") {
  buffer_fixture f;
  f.append(error_alert(1));
  f.tell(pushed_atom_v, first_client, std::uint64_t{1});
  const auto report = f.report(first_client);
  CHECK(report.sent == 1);
  CHECK(report.pending == 1);
}

TEST_CASE("30 alerts and 200 hooks: each alert once, and no text of 2 KB") {
  buffer_fixture f;
  std::vector<std::uint64_t> told;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    if (i <= 30)
      f.append(error_alert(i));
    const auto answer = f.hook(question("a"));
    CHECK(answer.text.size() < 2048);
    told.insert(told.end(), answer.told.begin(), answer.told.end());
  }
  REQUIRE(told.size() == 30);
  for (std::uint64_t i = 1; i <= 30; ++i)
    CHECK(std::count(told.begin(), told.end(), i) == 1);
}

TEST_CASE("many alerts at once are told over several hooks, errors first") {
  buffer_fixture f;
  for (std::uint64_t i = 1; i <= 40; ++i)
    f.append(i == 5 ? error_alert(i) : with_level(error_alert(i), severity::warning));
  std::vector<std::uint64_t> told;
  for (int hooks = 0; hooks < 20; ++hooks) {
    const auto answer = f.hook(question("a"));
    CHECK(answer.text.size() < 2048);
    told.insert(told.end(), answer.told.begin(), answer.told.end());
  }
  CHECK(told.front() == 5);
  CHECK(told.size() == 40);
}
