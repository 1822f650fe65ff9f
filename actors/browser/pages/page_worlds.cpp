#include "actors/browser/pages/page_worlds.hpp"

#include "actors/browser/pages/page_hands.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// A frame that hangs holds up nobody for longer.
constexpr milliseconds frame_patience{1'500};
constexpr milliseconds usual_patience{5'000};
constexpr std::size_t most_frames = 200;

/// An expression that calls a function of the hands and answers JSON.
std::string call_text(std::string_view function, const json& arguments) {
  std::string out = "(async () => JSON.stringify((await gasoline_hands.";
  out += function;
  return out + "(..." + dumped(arguments) + ")) ?? {}))()";
}

/// Within a function, since a world that an earlier link has made may have them already.
const std::string& hands_expression() {
  static const std::string text = "(() => {" + std::string{page_hands()} + "})()";
  return text;
}

void add_frames(std::vector<page_frame>& out, const std::string& session,
                const simdjson::dom::element& tree, std::string_view parent) {
  if (out.size() >= most_frames)
    return;
  const std::string id{text_at(tree, "/frame/id")};
  out.push_back({session, id, std::string{parent}, std::string{text_at(tree, "/frame/url")}});
  if (const auto children = list_at(tree, "/childFrames"))
    for (const auto child : *children)
      add_frames(out, session, child, id);
}

/// Where a point of what an element holds is, of which the browser tells four corners, wherever
/// they are, and how large the element is without being scaled.
page_worlds::point within_box(const simdjson::dom::element& box, page_worlds::point at) {
  const auto corner = [&](int n) {
    const auto at_index = [&](int i) {
      return number_at(box, "/model/border/" + std::to_string(i));
    };
    return page_worlds::point{at_index(2 * n), at_index(2 * n + 1)};
  };
  const auto width = std::max(number_at(box, "/model/width"), 1.0);
  const auto height = std::max(number_at(box, "/model/height"), 1.0);
  const auto first = corner(0);
  const auto right = corner(1);
  const auto below = corner(3);
  return {number_at(box, "/model/content/0") + at.x * (right.x - first.x) / width +
              at.y * (below.x - first.x) / height,
          number_at(box, "/model/content/1") + at.x * (right.y - first.y) / width +
              at.y * (below.y - first.y) / height};
}

hands_answer answer_of(const cdp_outcome& outcome) {
  if (!outcome.ok)
    return {outcome.problem, json::object()};
  if (const auto thrown = text_at(outcome.result, "/exceptionDetails/exception/description");
      !thrown.empty())
    return {std::string{thrown.substr(0, thrown.find('\n'))}, json::object()};
  auto value = json::parse(text_at(outcome.result, "/result/value"), nullptr, false);
  if (value.is_discarded())
    return {"the page gave no answer", json::object()};
  if (value.is_null()) // nothing to tell
    value = json::object();
  return {{}, std::move(value)};
}

} // namespace

void page_worlds::each(const page_ptr& page, std::function<void(std::vector<page_world>)> then) {
  const auto gathered = std::make_shared<gathering>();
  gathered->then = std::move(then);
  std::vector<std::string> sessions{page->session};
  for (const auto& [id, session] : table_.all())
    if (session.page == page && session.type == "iframe")
      sessions.push_back(id);
  gathered->open = sessions.size();
  gathered->of_sessions.resize(sessions.size());
  for (std::size_t n = 0; n < sessions.size(); ++n)
    port_.call(
        sessions[n], "Page.getFrameTree", json::object(),
        [this, gathered, session = sessions[n], n](const cdp_outcome& outcome) {
          if (outcome.ok)
            if (const auto tree = value_at(outcome.result, "/frameTree"))
              add_frames(gathered->of_sessions[n], session, *tree, {});
          if (--gathered->open == 0)
            make_worlds(gathered);
        },
        frame_patience);
}

void page_worlds::make_worlds(const gathering_ptr& gathered) {
  // In the order of the sessions, whichever of them has answered first.
  for (auto& frames : gathered->of_sessions)
    gathered->frames.insert(gathered->frames.end(), std::make_move_iterator(frames.begin()),
                            std::make_move_iterator(frames.end()));
  gathered->frames.resize(std::min(gathered->frames.size(), most_frames));
  gathered->open = 1;
  for (const auto& frame : gathered->frames)
    if (worlds_.of_frame(frame.session, frame.frame) == nullptr) {
      ++gathered->open;
      make_world(gathered, frame);
    }
  settle(gathered);
}

void page_worlds::make_world(const gathering_ptr& gathered, const page_frame& frame) {
  port_.call(
      frame.session, "Page.createIsolatedWorld",
      {{"frameId", frame.frame}, {"worldName", "gasoline"}},
      [this, gathered, frame](const cdp_outcome& outcome) {
        if (!outcome.ok)
          return settle(gathered);
        const auto context = static_cast<int>(number_at(outcome.result, "/executionContextId"));
        port_.call(
            frame.session, "Runtime.evaluate",
            {{"expression", hands_expression()}, {"contextId", context}},
            [this, gathered, frame, context](const cdp_outcome& put) {
              if (put.ok)
                worlds_.add(frame, context);
              settle(gathered);
            },
            frame_patience);
      },
      frame_patience);
}

void page_worlds::settle(const gathering_ptr& gathered) {
  if (--gathered->open > 0)
    return;
  look_for_roots(gathered);
}

/// Lets the worlds see closed shadow roots that have come since the last look: the browser alone
/// knows them.
void page_worlds::look_for_roots(const gathering_ptr& gathered) {
  const auto out = std::make_shared<std::vector<page_world>>();
  for (const auto& frame : gathered->frames)
    if (const auto* world = worlds_.of_frame(frame.session, frame.frame))
      out->push_back(*world);
  if (out->empty())
    return gathered->then({});
  gathered->open = out->size();
  const auto done = [gathered, out] {
    if (--gathered->open == 0)
      gathered->then(*out);
  };
  for (const auto& world : std::vector{*out})
    port_.call(
        world.frame.session, "Runtime.evaluate",
        {{"expression", "(() => { const all = gasoline_hands.new_hosts(); "
                        "return all.length ? all : 0 })()"},
         {"contextId", world.context},
         {"objectGroup", "roots"}},
        [this, world, done](const cdp_outcome& outcome) {
          const std::string list{outcome.ok ? text_at(outcome.result, "/result/objectId") : ""};
          if (list.empty())
            return done();
          hand_in_roots(world, list, done);
        },
        frame_patience);
}

void page_worlds::hand_in_roots(const page_world& world, const std::string& list,
                                std::function<void()> then) {
  port_.call(
      world.frame.session, "Runtime.getProperties", {{"objectId", list}, {"ownProperties", true}},
      [this, world, then = std::move(then)](const cdp_outcome& outcome) {
        std::vector<std::string> hosts;
        if (const auto all = outcome.ok ? list_at(outcome.result, "/result") : std::nullopt)
          for (const auto each : *all)
            if (const auto id = text_at(each, "/value/objectId");
                flag_at(each, "/enumerable") && !id.empty())
              hosts.emplace_back(id);
        const auto open = std::make_shared<std::size_t>(hosts.size() + 1);
        const auto done = [this, world, open, then] {
          if (--*open > 0)
            return;
          port_.tell(world.frame.session, "Runtime.releaseObjectGroup", {{"objectGroup", "roots"}});
          then();
        };
        for (const auto& host : hosts)
          hand_in_root(world, host, done);
        done();
      },
      frame_patience);
}

/// The closed shadow root of one element, where it has one.
void page_worlds::hand_in_root(const page_world& world, const std::string& host,
                               std::function<void()> then) {
  const auto& session = world.frame.session;
  const auto put = [this, session, host, then](const cdp_outcome& root) {
    const std::string object{root.ok ? text_at(root.result, "/object/objectId") : ""};
    if (object.empty())
      return then();
    port_.call(
        session, "Runtime.callFunctionOn",
        {{"objectId", host},
         {"functionDeclaration", "function (root) { gasoline_hands.take_root.call(this, root) }"},
         {"arguments", json::array({{{"objectId", object}}})}},
        [then](const cdp_outcome&) { then(); }, frame_patience);
  };
  port_.call(
      session, "DOM.describeNode", {{"objectId", host}, {"depth", 0}},
      [this, session, world, then, put](const cdp_outcome& node) {
        if (!node.ok || text_at(node.result, "/node/shadowRoots/0/shadowRootType") != "closed")
          return then();
        port_.call(session, "DOM.resolveNode",
                   {{"backendNodeId",
                     std::llround(number_at(node.result, "/node/shadowRoots/0/backendNodeId"))},
                    {"objectGroup", "roots"},
                    {"executionContextId", world.context}},
                   put, frame_patience);
      },
      frame_patience);
}

void page_worlds::ask(const page_world& world, std::string_view function, const json& arguments,
                      hands_then then, milliseconds patience) {
  port_.call(
      world.frame.session, "Runtime.evaluate",
      {{"expression", call_text(function, arguments)},
       {"contextId", world.context},
       {"awaitPromise", true},
       {"returnByValue", true}},
      [then = std::move(then)](const cdp_outcome& outcome) { then(answer_of(outcome)); },
      patience + usual_patience);
}

void page_worlds::run(const page_world& world, std::string_view script, hands_then then) {
  port_.call(
      world.frame.session, "Runtime.evaluate",
      {{"expression", std::string{script} + "\n;0"}, {"contextId", world.context}},
      [then = std::move(then)](const cdp_outcome& outcome) {
        auto problem =
            outcome.ok
                ? std::string{text_at(outcome.result, "/exceptionDetails/exception/description")}
                : outcome.problem;
        then({problem.substr(0, problem.find('\n')), json::object()});
      },
      usual_patience);
}

void page_worlds::object(const page_world& world, std::uint64_t element,
                         std::function<void(const std::string& object)> then) {
  port_.call(world.frame.session, "Runtime.evaluate",
             {{"expression", "gasoline_hands.node(" + std::to_string(element) + ")"},
              {"contextId", world.context},
              {"objectGroup", "interact"}},
             [then = std::move(then)](const cdp_outcome& outcome) {
               then(outcome.ok ? std::string{text_at(outcome.result, "/result/objectId")} : "");
             });
}

bool page_worlds::is_page(const page_frame& frame) {
  const auto* session = table_.session(frame.session);
  return session == nullptr || (frame.parent.empty() && session->type == "page");
}

void page_worlds::step_out(const page_frame& frame, point at,
                           std::function<void(const page_frame& outer, point at)> then) {
  const auto* session = table_.session(frame.session);
  // The first frame of a session stands in a frame of the session above it, and is its target.
  const bool is_first = frame.parent.empty();
  const page_frame outer{is_first && session ? session->parent : frame.session, {}, {}, {}};
  const auto id = is_first && session ? session->target : frame.frame;
  port_.call(outer.session, "DOM.getFrameOwner", {{"frameId", id}},
             [this, outer, at, then = std::move(then)](const cdp_outcome& owner) {
               if (!owner.ok)
                 return then(outer, at);
               const auto node = std::llround(number_at(owner.result, "/backendNodeId"));
               port_.call(outer.session, "DOM.getBoxModel", {{"backendNodeId", node}},
                          [outer, at, then](const cdp_outcome& box) {
                            then(outer, box.ok ? within_box(box.result, at) : at);
                          });
             });
}

void page_worlds::to_page(const page_frame& frame, point at, std::function<void(point)> then) {
  if (is_page(frame))
    return then(at);
  step_out(frame, at, [this, then = std::move(then)](const page_frame& outer, point placed) {
    to_page(outer, placed, then);
  });
}

} // namespace gasoline
