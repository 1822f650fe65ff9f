#include "tests/unit/support/alert_samples.hpp"
#include "tests/unit/support/session_probe.hpp"

#include <sys/stat.h>

#include <algorithm>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

using names = std::vector<std::string>;

} // namespace

TEST_CASE("sessions are made, listed and refused with a reason") {
  session_probe p;
  const auto a = p.create();
  const auto b = p.create({{"system", "be brief"}});
  CHECK(is_id(id_kind::session, a));
  const auto listed = p.ask(list_atom_v, session_caller{true}, agent_session_id{}, std::uint64_t{0})
                          .body["sessions"];
  REQUIRE(listed.size() == 2);
  CHECK(listed[0]["id"] == b);
  CHECK(listed[0]["active_model"] == "fake:m");
  const auto refused = [&](json body) {
    const auto answer =
        p.ask(create_atom_v, session_probe::document(std::move(body)), session_caller{});
    CHECK(answer.body.contains("error"));
    return answer.status;
  };
  CHECK(refused(json::array()) == session_status::bad_request);
  CHECK(refused({{"model", "m"}, {"provider", "fake"}}) == session_status::bad_request);
  CHECK(refused({{"workspace_path", "/x"}, {"provider", "other"}, {"model", "m"}}) ==
        session_status::bad_request);
  CHECK(refused({{"workspace_path", "/x"}, {"model", 7}}) == session_status::bad_request);
  CHECK(refused({{"workspace_path", "/x"}, {"model", "fake:m"}, {"tools", "shell"}}) ==
        session_status::bad_request);
  CHECK(refused({{"workspace_path", "/x"}, {"model", "fake:m"}, {"tools", {"shell"}}}) ==
        session_status::unauthorized);
  CHECK(p.ask(attach_atom_v, agent_session_id{"sess_none"}, attach_request{}).status ==
        session_status::not_found);
}

TEST_CASE("a session with tools that need the token is used with the token only") {
  session_probe p;
  const auto made =
      p.ask(create_atom_v,
            session_probe::document(
                {{"workspace_path", "/x"}, {"model", "fake:m"}, {"tools", {"shell"}}}),
            session_caller{true});
  REQUIRE(made.status == session_status::created);
  const agent_session_id guarded{made.body["session_id"]};
  const agent_session_id plain{
      p.ask(create_atom_v, session_probe::document({{"workspace_path", "/x"}, {"model", "fake:m"}}),
            session_caller{})
          .body["session_id"]};
  const auto status_of = [&](const agent_session_id& id, bool trusted) {
    return p.ask(open_atom_v, id, session_caller{trusted}).status;
  };
  CHECK(status_of(guarded, false) == session_status::unauthorized);
  CHECK(status_of(guarded, true) == session_status::ok);
  CHECK(status_of(plain, false) == session_status::ok);
  CHECK(status_of(agent_session_id{"sess_none"}, false) == session_status::ok);
}

TEST_CASE("a session is its maker's, and whoever shows its key or the token") {
  session_probe p;
  const auto made_by = [&](const session_caller& maker) {
    return p
        .ask(create_atom_v,
             session_probe::document({{"workspace_path", "/x"}, {"model", "fake:m"}}), maker)
        .body;
  };
  const session_caller program;
  const session_caller owner{true};
  const session_caller page{false, "http://dash.test"};
  const session_caller other_page{false, "http://other.test"};
  const struct {
    session_caller maker;
    bool program, page, other_page;
  } table[] = {
      {program, true, false, false},
      {page, false, true, false},
      {owner, false, false, false},
  };
  for (const auto& row : table) {
    const auto made = made_by(row.maker);
    const agent_session_id id{made["session_id"]};
    const auto may = [&](const session_caller& caller) {
      const auto list =
          p.ask(list_atom_v, caller, agent_session_id{}, std::uint64_t{0}).body["sessions"];
      const bool listed = std::any_of(list.begin(), list.end(),
                                      [&](const json& entry) { return entry["id"] == id; });
      const bool admitted = p.ask(open_atom_v, id, caller).status == session_status::ok;
      CHECK(listed == admitted);
      return admitted;
    };
    CAPTURE(row.maker.origin);
    CHECK(may(program) == row.program);
    CHECK(may(page) == row.page);
    CHECK(may(other_page) == row.other_page);
    CHECK(may(owner));
    const auto key = made["session_key"].get<std::string>();
    CHECK(key.size() == 64);
    CHECK(may({false, "http://other.test", key}));
    CHECK_FALSE(may({false, "http://other.test", key.substr(1) + "0"}));
    const auto shown = p.ask(attach_atom_v, id, attach_request{}).body;
    CHECK(shown.dump().find(key) == std::string::npos);
  }
}

TEST_CASE("what costs money or names a file of the user's needs the token") {
  session_probe p;
  const auto status_of = [&](json more, bool trusted) {
    json body{{"workspace_path", "/x"}, {"model", "fake:m"}};
    body.update(more);
    return p.ask(create_atom_v, session_probe::document(std::move(body)), session_caller{trusted})
        .status;
  };
  CHECK(status_of({{"script_path", "/etc/hostname"}}, false) == session_status::unauthorized);
  CHECK(status_of({{"script_path", "/nowhere"}}, false) == session_status::unauthorized);
  CHECK(status_of(json::object(), false) == session_status::created);
}

TEST_CASE("texts of sessions are bounded, one by one and together") {
  session_probe p;
  const auto answer_to = [&](const char* key, std::size_t bytes) {
    json body{{"workspace_path", "/x"}, {"model", "fake:m"}};
    body[key] = std::string(bytes, 'x');
    return p.ask(create_atom_v, session_probe::document(std::move(body)), session_caller{}).status;
  };
  CHECK(answer_to("system", 256U << 10) == session_status::created);
  CHECK(answer_to("system", (256U << 10) + 1) == session_status::too_large);
  for (const char* key : {"workspace_path", "page_url"}) {
    CHECK(answer_to(key, 8U << 10) == session_status::created);
    CHECK(answer_to(key, (8U << 10) + 1) == session_status::too_large);
  }
  const auto list = p.ask(list_atom_v, session_caller{}, agent_session_id{}, std::uint64_t{0}).body;
  for (const auto& entry : list["sessions"])
    CHECK(entry["workspace_path"].get<std::string>().size() < 600);
  std::size_t made = 3;
  while (answer_to("system", 256U << 10) == session_status::created)
    REQUIRE(++made < 300);
  CHECK(made > 250);
  CHECK(answer_to("system", 256U << 10) == session_status::unavailable);
  CHECK(answer_to("system", 10) == session_status::created);
}

TEST_CASE("the list of sessions comes in pages, the newest first") {
  session_probe p;
  std::vector<agent_session_id> ids;
  for (int i = 0; i < 7; ++i)
    ids.insert(ids.begin(), p.create());
  std::vector<agent_session_id> read;
  agent_session_id before;
  for (bool more = true; more;) {
    const auto page = p.ask(list_atom_v, session_caller{true}, before, std::uint64_t{3}).body;
    for (const auto& entry : page["sessions"])
      read.emplace_back(entry["id"]);
    before = read.back();
    more = page["has_more"];
    REQUIRE(read.size() <= 7);
  }
  CHECK(read == ids);
}

TEST_CASE("an attach token opens its stream once, within a minute") {
  session_probe p;
  const auto session = p.create();
  const auto other = p.create();
  const auto token = [&] {
    const auto answer =
        p.ask(attach_atom_v, session, attach_request{"ws://localhost:7890", "", false});
    const auto text = answer.body["attach_token"].get<std::string>();
    CHECK(answer.body["ws_url"] ==
          "ws://localhost:7890/sessions/" + session.text() + "/stream?attach=" + text);
    return text;
  };
  const auto first = token();
  CHECK_FALSE(p.connect_with(other, first));
  CHECK(p.connect_with(session, first));
  CHECK_FALSE(p.connect_with(session, first));
  const auto second = token();
  p.vs->advance(std::chrono::seconds{59});
  CHECK(p.connect_with(session, second));
  const auto third = token();
  p.vs->advance(std::chrono::seconds{60});
  CHECK_FALSE(p.connect_with(session, third));
}

TEST_CASE("a second turn has to wait for the first") {
  session_probe p;
  const auto session = p.create();
  const auto turn = p.submit(session);
  const auto body = session_probe::document({{"content", "more"}});
  const auto busy = p.ask(submit_atom_v, session, body, std::string{});
  CHECK(busy.status == session_status::conflict);
  CHECK(busy.body["error"]["turn_id"] == turn);
  p.answer("x");
  CHECK(p.ask(submit_atom_v, session, body, std::string{}).status == session_status::accepted);
  CHECK(p.ask(submit_atom_v, session, session_probe::document({{"content", ""}}), std::string{})
            .status == session_status::conflict);
  p.answer("y");
  CHECK(p.ask(submit_atom_v, session, session_probe::document({{"content", ""}}), std::string{})
            .status == session_status::bad_request);
}

TEST_CASE("older messages are read in pages") {
  session_probe p;
  const auto session = p.create();
  for (int i = 0; i < 5; ++i) {
    p.submit(session, "q" + std::to_string(i));
    p.answer("a" + std::to_string(i));
  }
  names texts;
  agent_message_id before;
  bool more = true;
  while (more) {
    const auto page = p.ask(messages_atom_v, session, before, std::uint64_t{3}).body;
    names part;
    for (const auto& m : page["messages"])
      part.push_back(m["content"][0]["text"]);
    texts.insert(texts.begin(), part.begin(), part.end());
    before = agent_message_id{page["messages"][0]["id"]};
    more = page["has_more"];
  }
  CHECK(texts == names{"q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3", "q4", "a4"});
  CHECK(p.ask(messages_atom_v, session, agent_message_id{"msg_none"}, std::uint64_t{3}).status ==
        session_status::not_found);
}

TEST_CASE("required 11: a client that never reads is closed, the others notice nothing") {
  limits limit;
  limit.session.client_queue = 20;
  session_probe p{limit};
  const auto session = p.create();
  const auto fast = p.watch(session);
  const auto slow = p.watch(session);
  slow->stalled = true;
  const auto turn = p.submit(session);
  p.begin_answer();
  for (int i = 0; i < 40; ++i)
    p.text("x");
  p.finish();
  CHECK(slow->closed_code == 1008);
  CHECK(json::parse(slow->close_reason)["code"] == "client_too_slow");
  CHECK(slow->close_reason.size() <= 123);
  CHECK(count(fast, "text.delta") == 40);
  CHECK(count(fast, "turn.completed") == 1);
  const auto warning = first_of(fast, "bus.handler_warning")["payload"];
  CHECK(warning["code"] == "client_too_slow");
  CHECK(warning["subscription_name"] ==
        first_of(fast, "bus.subscriber_unregistered")["payload"]["subscription_name"]);
  CHECK_FALSE(fast->closed_code);
}

TEST_CASE("a long replay is paced by the socket and not counted against the queue") {
  limits limit;
  limit.session.client_queue = 10;
  limit.session.replay_page = 7;
  session_probe p{limit};
  const auto session = p.create();
  const auto first = p.watch(session);
  p.submit(session);
  p.answer("x");
  const auto cursor = first->events().front()["id"];
  p.disconnect(first);
  for (int i = 0; i < 20; ++i) {
    p.submit(session);
    p.answer("x");
  }
  const auto again = p.connect(session);
  again->stalled = true;
  p.subscribe(again, "preset:chat", cursor);
  for (int i = 0; i < 200; ++i) {
    again->take();
    p.vs->settle();
  }
  CHECK_FALSE(again->closed_code);
  CHECK(again->writes > 10);
  CHECK(count(again, "turn.completed") == 21);
  CHECK(again->events().size() ==
        again->frames("subscribe_ack").at(0)["replay_event_count"].get<std::size_t>());
}

TEST_CASE("a deleted session ends its turn and its clients, and is gone") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto token = p.ask(attach_atom_v, session, attach_request{}).body["attach_token"];
  p.submit(session);
  p.begin_answer();
  CHECK(p.ask(remove_atom_v, session).status == session_status::no_content);
  CHECK(client->types().back() == "turn.cancelled");
  CHECK(client->closed_code == 1000);
  CHECK(p.ask(list_atom_v, session_caller{true}, agent_session_id{}, std::uint64_t{0})
            .body["sessions"]
            .empty());
  CHECK(p.ask(remove_atom_v, session).status == session_status::not_found);
  const auto late = p.connect_with(session, token);
  REQUIRE(late);
  p.subscribe(late);
  CHECK(late->frames("subscribe_error").at(0)["code"] == "session_not_found");
  p.restart();
  CHECK(p.ask(list_atom_v, session_caller{true}, agent_session_id{}, std::uint64_t{0})
            .body["sessions"]
            .empty());
}

TEST_CASE("sessions survive a restart; a turn in flight is closed, no id is used again") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session, "first");
  p.answer("one");
  p.submit(session, "second");
  p.begin_answer();
  p.tool_use(0, "tu_1", "shell", "{}");
  p.finish("tool_use");
  const auto cursor = client->last_id();
  std::set<std::string> ids;
  for (const auto& e : client->events())
    ids.insert(e["id"]);
  p.restart();
  const auto again = p.connect(session);
  p.subscribe(again, "preset:full", cursor);
  CHECK(again->types() == names{"tool.failed", "turn.cancelled"});
  CHECK(first_of(again, "turn.cancelled")["payload"]["reason"] == "server_restart");
  CHECK(first_of(again, "tool.failed")["payload"]["error_class"] == "cancelled");
  p.submit(session, "third");
  CHECK(p.call().call->messages.size() == 6); // two turns, a missing tool result, this message
  CHECK(p.call().call->call_index == 2);
  p.answer("three");
  for (const auto& e : again->events())
    CHECK(ids.insert(e["id"]).second);
  const auto snapshot = p.connect(session);
  p.subscribe(snapshot, "preset:full", nullptr, true);
  CHECK(snapshot->frames("snapshot").at(0)["session"]["turn_count"] == 3);
  CHECK(snapshot->frames("snapshot").at(0)["messages"].size() == 6);
}

TEST_CASE("a cursor on a transient event that the last process has shown is expired or whole") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.text("lost");
  const auto cursor = client->last_id();
  p.restart();
  const auto again = p.connect(session);
  p.subscribe(again, "preset:full", cursor);
  CHECK(again->types() == names{"llm.call_failed", "turn.cancelled"});
}

TEST_CASE("the trace file is private") {
  session_probe p;
  p.create();
  for (const char* suffix : {"", "-wal", "-shm"}) {
    struct stat status {};
    REQUIRE(::stat((p.directory->file().string() + suffix).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600U);
  }
}

TEST_CASE("a trace file that cannot be used is told, nothing crashes") {
  session_probe p;
  p.stop();
  p.directory = std::make_unique<scratch_directory>();
  std::filesystem::create_directory(p.directory->file());
  p.start();
  const auto answer =
      p.ask(list_atom_v, session_caller{true}, agent_session_id{}, std::uint64_t{0});
  CHECK(answer.status == session_status::unavailable);
  CHECK(answer.body["error"]["message"].get<std::string>().find("trace") != std::string::npos);
}

TEST_CASE("the end of the engine cancels turns, closes clients and keeps everything") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.stop();
  CHECK(client->types().back() == "turn.cancelled");
  CHECK(first_of(client, "turn.cancelled")["payload"]["reason"] == "server_shutdown");
  CHECK(client->closed_code == 1001);
  const auto cursor = client->last_id();
  p.start();
  const auto again = p.connect(session);
  p.subscribe(again, "preset:full", cursor);
  CHECK(again->frames("subscribe_ack").size() == 1);
  CHECK(again->events().empty());
}

TEST_CASE("feedback is recorded for messages that exist") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.answer("x");
  const agent_message_id id{first_of(client, "message.complete")["payload"]["message_id"]};
  const auto send = [&](const agent_message_id& message, json body) {
    return p.ask(feedback_atom_v, session, message, session_probe::document(std::move(body)))
        .status;
  };
  CHECK(send(id, {{"rating", "up"}, {"comment", "good"}}) == session_status::created);
  CHECK(first_of(client, "feedback.recorded")["payload"]["rating"] == "up");
  CHECK(send(agent_message_id{"msg_none"}, {{"rating", "up"}}) == session_status::not_found);
  CHECK(send(id, json::object()) == session_status::bad_request);
  CHECK(send(id, {{"rating", json::array()}}) == session_status::bad_request);
}

TEST_CASE("an external agent's events are checked, shown, stored") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto send = [&](json body) {
    return p.ask(external_atom_v, session, session_probe::document(std::move(body)));
  };
  const json started{{"type", "turn.started"}, {"turn_id", "turn_x"}, {"actor", "claude"}};
  const json begun{{"type", "message.start"},
                   {"payload", {{"message_id", "m1"}, {"role", "assistant"}}}};
  const json delta{{"type", "text.delta"},
                   {"payload", {{"message_id", "m1"}, {"content_block_index", 0}, {"text", "hi"}}}};
  CHECK(send(delta).status == session_status::bad_request);
  CHECK(send({{"events", {started, begun, delta}}}).status == session_status::accepted);
  CHECK(client->types() == names{"turn.started", "message.start", "text.delta"});
  CHECK(client->events()[0]["actor"] == "claude");
  const auto wrong = send({{"events", {delta, {{"type", "tool.called"}, {"payload", {}}}}}});
  CHECK(wrong.status == session_status::bad_request);
  CHECK(wrong.body["error"]["message"].get<std::string>().find("Event 1") != std::string::npos);
  CHECK(client->types().size() == 3);
  CHECK(send({{"type", "bus.handler_warning"}, {"payload", {{"subscription_name", "x"}}}}).status ==
        session_status::bad_request);
  CHECK(p.ask(submit_atom_v, session, session_probe::document({{"content", "x"}}), std::string{})
            .status == session_status::conflict);
  // A client that comes now gets the message from its start.
  const auto late = p.connect(session);
  p.subscribe(late, "preset:chat", nullptr, true);
  CHECK(late->types() == names{"message.start", "text.delta"});
  const json done{{"type", "message.complete"},
                  {"payload",
                   {{"message_id", "m1"},
                    {"stop_reason", "end_turn"},
                    {"final_content", {{{"type", "text"}, {"text", "hi"}}}}}}};
  CHECK(send({{"events", {done, {{"type", "turn.completed"}}}}}).status ==
        session_status::accepted);
  const auto listed = p.ask(messages_atom_v, session, agent_message_id{}, std::uint64_t{0}).body;
  CHECK(listed["messages"][0]["id"] == "m1");
  CHECK(p.ask(submit_atom_v, session, session_probe::document({{"content", "x"}}), std::string{})
            .status == session_status::accepted);
}

TEST_CASE("what all sessions hold of answers that are being written is bounded") {
  session_probe p;
  const auto session = p.create();
  const auto send = [&](json body) {
    return p.ask(external_atom_v, session, session_probe::document(std::move(body)));
  };
  const json delta{{"type", "text.delta"},
                   {"payload", {{"message_id", "m1"}, {"content_block_index", 0}, {"text", "hi"}}}};
  CHECK(send({{"events",
               {{{"type", "turn.started"}, {"turn_id", "turn_x"}, {"actor", "claude"}},
                {{"type", "message.start"},
                 {"payload", {{"message_id", "m1"}, {"role", "assistant"}}}}}}})
            .status == session_status::accepted);
  {
    budget_share others{p.world->answers};
    REQUIRE(others.hold(p.world->answers->most() - p.world->answers->used() - 1));
    const auto refused = send(delta);
    CHECK(refused.status == session_status::bad_request);
    CHECK(refused.body["error"]["message"].get<std::string>().find("session_answers_bytes") !=
          std::string::npos);
    CHECK(p.world->answers->refused() == 1);
  }
  const auto before = p.world->answers->used();
  CHECK(send(delta).status == session_status::accepted);
  // Whoever attaches now is shown the event, so that it is held beside the text.
  const auto late = p.connect(session);
  p.subscribe(late, "preset:chat", nullptr, true);
  REQUIRE(late->types() == names{"message.start", "text.delta"});
  CHECK(p.world->answers->used() - before >= 2 + late->frames("event").back().dump().size());
  CHECK(send({{"type", "turn.completed"}}).status == session_status::accepted);
  CHECK(p.world->answers->used() == 0);
}

TEST_CASE("an answer of our own holds its events too until it is complete") {
  session_probe p;
  const auto session = p.create();
  p.submit(session);
  p.begin_answer();
  for (int i = 0; i < 10; ++i)
    p.text("a");
  const auto late = p.connect(session);
  p.subscribe(late, "preset:chat", nullptr, true);
  std::size_t shown = 0;
  for (const auto& frame : late->frames("event"))
    shown += frame.dump().size();
  CHECK(count(late, "text.delta") == 10);
  CHECK(p.world->answers->used() >= shown);
  p.finish();
  CHECK(p.world->answers->used() == 0);
}

TEST_CASE("what turns wait with is bounded, for one and for all") {
  limits limit;
  limit.session.message_bytes = 10'000;
  session_probe p{limit};
  const auto session = p.create();
  const auto send = [&](std::size_t size) {
    return p.ask(
        submit_atom_v, session,
        session_probe::document({{"content", std::string(size, 'q')}, {"when_busy", "queue"}}),
        std::string{});
  };
  CHECK(send(10'000).status == session_status::too_large);
  const auto first = p.submit(session);
  const auto running = p.world->turns->used();
  CHECK(send(5'000).status == session_status::accepted);
  CHECK(p.world->turns->used() >= running + 5'000);
  {
    budget_share others{p.world->turns};
    REQUIRE(others.hold(p.world->turns->most() - p.world->turns->used() - 1'000));
    const auto refused = send(5'000);
    CHECK(refused.status == session_status::unavailable);
    CHECK(refused.body["error"]["message"].get<std::string>().find("session_turns_bytes") !=
          std::string::npos);
    CHECK(p.world->turns->refused() == 1);
  }
  CHECK(send(4'000).status == session_status::accepted);
  for (int turn = 0; turn < 3; ++turn)
    p.answer("done");
  CHECK(p.world->turns->used() == 0);
}

TEST_CASE("a conversation for which there is no room is not sent, and its turn ends") {
  session_probe p;
  const auto session = p.create();
  const auto seen = p.watch(session);
  {
    budget_share others{p.world->turns};
    REQUIRE(others.hold(p.world->turns->most() - 10));
    p.submit(session);
    CHECK(p.world->calls.empty());
    const auto events = seen->events();
    const auto failed = std::find_if(events.begin(), events.end(),
                                     [](const json& e) { return e["type"] == "llm.call_failed"; });
    REQUIRE(failed != events.end());
    CHECK((*failed)["payload"]["message"].get<std::string>().find("session_turns_bytes") !=
          std::string::npos);
    CHECK(count(seen, "turn.completed") == 1);
  }
  p.submit(session);
  CHECK(p.world->calls.size() == 1);
  p.answer("done");
  CHECK(p.world->turns->used() == 0);
}

TEST_CASE("a burst longer than the queue does not close a client that reads") {
  limits limit;
  limit.session.client_queue = 10;
  session_probe p{limit};
  const auto session = p.create();
  const auto reading = p.watch(session);
  const auto stalled = p.watch(session);
  stalled->stalled = true;
  const json called{
      {"type", "tool.called"},
      {"payload", {{"tool_use_id", "t"}, {"tool_name", "shell"}, {"input", json::object()}}}};
  const auto send = [&](json body) {
    return p.ask(external_atom_v, session, session_probe::document(std::move(body))).status;
  };
  CHECK(send({{"type", "turn.started"}, {"turn_id", "turn_x"}}) == session_status::accepted);
  for (int i = 0; i < 3; ++i)
    CHECK(send({{"events", std::vector<json>(50, called)}}) == session_status::accepted);
  CHECK_FALSE(reading->closed_code);
  CHECK(count(reading, "tool.called") == 150);
  CHECK(stalled->closed_code == 1008);
}

TEST_CASE("alerts join the session and the next model call") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "shell", "{}");
  p.finish("tool_use");
  caf::anon_send(p.registry, alert_atom_v, share(error_alert(1)));
  p.vs->settle();
  CHECK(first_of(client, "alert.raised")["payload"]["alert_id"] == "alert_1");
  p.end_tool(*p.world->runs[0], "fine");
  const auto text = p.call().call->messages.back()->content[0]["text"].get<std::string>();
  CHECK(text.find("alert_1") != std::string::npos);
  // Who watches sees what the model has been told.
  json told;
  for (const auto& e : client->events())
    if (e["type"] == "llm.call_started")
      told = e["payload"];
  CHECK(told["content"][0]["text"] == text);
  CHECK(told["message_id"] == p.call().call->messages.back()->id);
  p.answer("seen");
  p.submit(session, "next");
  CHECK(p.call().call->messages.back()->content[0]["text"] == "next");
}

TEST_CASE("a client that pings without reading is closed, one that reads is answered") {
  limits limit;
  limit.session.client_queue = 20;
  session_probe p{limit};
  const auto session = p.create();
  const auto reading = p.watch(session);
  const auto flooding = p.watch(session);
  flooding->stalled = true;
  for (int i = 0; i < 50; ++i) {
    p.say(reading, {{"type", "ping"}, {"nonce", i}});
    p.say(flooding, {{"type", "ping"}, {"nonce", std::to_string(i)}});
  }
  CHECK(reading->frames("pong").size() == 50);
  CHECK(flooding->closed_code == 1008);
}

TEST_CASE("frames that are no frames end the connection, unknown ones do not") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.say(client, {{"type", "ack"}, {"id", "evt_1"}});
  CHECK_FALSE(client->closed_code);
  p.subscribe(client);
  CHECK(client->frames("subscribe_error").at(0)["message"].get<std::string>().find("already") !=
        std::string::npos);
  caf::anon_send(client->client, receive_atom_v, std::string{"{\"type\":"});
  p.vs->settle();
  CHECK(client->closed_code == 1008);
  CHECK(json::parse(client->close_reason)["code"] == "invalid_frame");
}
