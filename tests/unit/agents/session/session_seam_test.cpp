#include "tests/unit/support/session_probe.hpp"

#include <rapidcheck.h>

#include <map>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

/// What a client shows: the text of each message, and the persisted events, as a reader of any
/// language would put them together.
struct rendered {
  std::map<std::string, std::string> texts;
  std::vector<std::string> persisted;

  void take(const json& e) {
    const std::string type = e["type"];
    if (type.substr(0, 4) == "bus.")
      return;
    if (type == "text.delta")
      texts[e["payload"]["message_id"]] += e["payload"]["text"].get<std::string>();
    else if (type == "message.complete")
      texts[e["payload"]["message_id"]] =
          e["payload"]["final_content"].empty() ? "" : e["payload"]["final_content"][0]["text"];
    else if (catalog_row(*parse_name<session_event_type>(type)).persisted)
      persisted.push_back(e["id"]);
  }

  void take_snapshot(const json& snapshot) {
    for (const auto& m : snapshot["messages"])
      if (m["role"] == "assistant")
        texts[m["id"]] = m["content"].empty() ? "" : m["content"][0]["text"];
  }
};

/// A client that is cut off and comes back, with its cursor or with a snapshot.
class wanderer {
 public:
  wanderer(session_probe& probe, agent_session_id session)
      : p_(probe), session_(std::move(session)) {}

  void connect(bool with_snapshot) {
    if (port_)
      return;
    port_ = p_.connect(session_);
    taken_ = 0;
    const bool fresh = with_snapshot || cursor_.empty();
    if (fresh) {
      seen = {};
      cursor_.clear();
    }
    // Not handled yet: what comes next mixes with it.
    caf::anon_send(port_->client, receive_atom_v,
                   json{{"type", "subscribe"},
                        {"filter", "preset:full"},
                        {"since", fresh ? json(nullptr) : json(cursor_)},
                        {"snapshot", fresh}}
                       .dump());
  }

  /// The socket stops taking frames, or takes what has piled up.
  void stall(bool stalled) {
    if (!port_)
      return;
    port_->stalled = stalled;
    if (!stalled)
      port_->take();
  }

  void cut() {
    if (!port_)
      return;
    collect();
    caf::anon_send(port_->client, closed_atom_v);
    port_ = nullptr;
  }

  /// Reads what has come, in order, and checks that nothing comes twice.
  void collect() {
    if (!port_)
      return;
    for (const auto& frame : port_->frames("snapshot")) {
      if (taken_ > 0)
        break;
      seen.take_snapshot(frame);
      cursor_ = frame["snapshot_at_event_id"];
    }
    const auto events = port_->events();
    for (; taken_ < events.size(); ++taken_) {
      RC_ASSERT(events[taken_]["id"].get<std::string>() > cursor_);
      cursor_ = events[taken_]["id"];
      seen.take(events[taken_]);
    }
    taken_ = events.size();
  }

  rendered seen;

 private:
  port_ptr port_;
  session_probe& p_;
  agent_session_id session_;
  std::string cursor_;
  std::size_t taken_ = 0;
};

/// Lets the model say what the number stands for; not handled at once.
void advance_model(session_probe& p, const agent_session_id& session, int number, bool& in_turn) {
  if (!in_turn) {
    p.submit(session);
    in_turn = true;
    return;
  }
  provider_chunk c;
  c.kind = number % 7 == 0 ? chunk_kind::finished : chunk_kind::text;
  c.stop_reason = "end_turn";
  c.text = std::string(1, static_cast<char>('a' + number % 26));
  in_turn = c.kind == chunk_kind::text;
  caf::anon_send(p.call().turn, chunk_atom_v,
                 std::make_shared<const std::vector<provider_chunk>>(1, c));
}

} // namespace

TEST_CASE("property: however often a client is cut off, it shows what one that stayed shows") {
  const bool holds = rc::check([] {
    session_probe p;
    const auto session = p.create();
    const auto stayed = p.watch(session);
    wanderer w{p, session};
    w.connect(true);
    bool in_turn = false;
    const auto numbers =
        *rc::gen::resize(80, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1'000)));
    for (const int number : numbers) {
      switch (number % 6) {
      case 0:
        w.cut();
        break;
      case 1:
        w.connect(number % 4 == 1);
        break;
      case 2:
        w.stall(number % 4 == 2);
        break;
      default:
        advance_model(p, session, number / 6, in_turn);
      }
      for (int i = 0; i < number / 6 % 12; ++i)
        p.vs->sched.try_run_once();
      w.collect();
    }
    p.vs->settle();
    w.connect(false);
    w.stall(false);
    p.vs->settle();
    if (in_turn)
      p.finish();
    w.collect();
    rendered expected;
    for (const auto& e : stayed->events())
      expected.take(e);
    RC_ASSERT(w.seen.texts == expected.texts);
    // Persisted events since the last snapshot: a tail of all of them, in the same order.
    RC_ASSERT(w.seen.persisted.size() <= expected.persisted.size());
    RC_ASSERT(std::equal(w.seen.persisted.rbegin(), w.seen.persisted.rend(),
                         expected.persisted.rbegin()));
  });
  CHECK(holds);
}
