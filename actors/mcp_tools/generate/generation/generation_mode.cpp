#include "actors/mcp_tools/generate/generation/generation_mode.hpp"

#include "actors/mcp_tools/generate/generation/artifact_writer.hpp"
#include "messages/alerts/reader_report.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/absence_of_telemetry.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

/// What a file may hold.
constexpr std::uint64_t most_file_bytes = 16ULL << 20U;
constexpr std::size_t most_inline_bytes = 256U << 10U;
/// Room kept for the sentence before the text.
constexpr std::uint64_t sentence_bytes = 600;

/// One call of the tool, on its way.
struct generating {
  tool_call call;
  generation what;
  std::string state_directory;
  generate_call asked;
  std::string alert_title;
  gathered_ptr found;
  wall_time now{};
  limits_of<alert_room> limit;
  result_or<artifact> made{};
};

using generating_ptr = std::shared_ptr<generating>;

std::uint64_t room_for(const generate_call& asked) {
  return asked.path.empty() ? asked.max_bytes - sentence_bytes : most_file_bytes;
}

std::string sentence_of(const generating& g, const artifact& made) {
  auto out = made.sentence;
  if (!g.asked.ignored.empty())
    out += " Ignored arguments: " + g.asked.ignored + ".";
  return out + ' ' + std::string{outside_text_label};
}

void tell_written(const generating_ptr& g, const std::string& sentence, std::size_t bytes,
                  const command_answer& answer) {
  if (answer.is_error)
    return g->call.refuse(answer.text);
  std::string document;
  json_object_writer w{document};
  w.text("path", g->call.redacted(answer.text)).number("bytes", std::uint64_t{bytes});
  w.close();
  g->call.answer(text_result(sentence + "\n" + document));
}

/// What is large goes to a thread of its own; for less that would take longer than the writing.
void write_to(const generating_ptr& g, const std::string& workspace, const artifact& made) {
  auto file = std::make_shared<artifact_file>();
  file->path = g->asked.path;
  file->text = made.text;
  file->workspace = workspace;
  file->state_directory = g->state_directory;
  file->overwrite = g->asked.overwrite;
  auto sentence = sentence_of(*g, made);
  if (made.text.size() <= most_inline_bytes)
    return tell_written(g, sentence, made.text.size(), written_artifact(*file));
  g->call.ask_engine<command_answer>(
      spawn_artifact_writer(g->call.client_handle().home_system()),
      [g, sentence = std::move(sentence), bytes = made.text.size()](const command_answer& answer) {
        tell_written(g, sentence, bytes, answer);
      },
      write_atom_v, artifact_file_ptr{std::move(file)});
}

/// Where files of that client may be; empty: not known.
std::string workspace_of(const reader_report& report) {
  const auto& directory = report.directory;
  const bool is_place =
      directory.starts_with('/') && directory.find_first_not_of('/') != std::string::npos;
  return is_place ? directory : std::string{};
}

void deliver(const generating_ptr& g, const artifact& made) {
  if (g->asked.path.empty()) {
    g->call.answer(text_result(sentence_of(*g, made) + "\n" + made.text));
    return;
  }
  g->call.alert_report(
      [g, made](const reader_report& report) { write_to(g, workspace_of(report), made); });
}

bool is_step(const event& e) {
  return e.kind == telemetry_kind::body || e.kind == telemetry_kind::request ||
         e.kind == telemetry_kind::action || e.kind == telemetry_kind::load;
}

/// What was done between the two ends, oldest first.
event_refs steps_in(const analysis_input& seen) {
  event_refs out;
  std::copy_if(seen.events.begin(), seen.events.end(), std::back_inserter(out),
               [](const event* e) { return is_step(*e); });
  return out;
}

void make(generating& g) {
  put_in_order(*g.found);
  const auto seen = split_events(g.asked, g.what.begins, *g.found, g.now, g.limit);
  if (!seen) {
    g.made = tl::unexpected(seen.error());
    return;
  }
  auto steps = g.what.looks == looked_at::events ? event_refs{} : steps_in(*seen);
  g.made = g.what.make({g.asked, *seen, std::move(steps), g.alert_title, room_for(g.asked)});
}

void hand_out(const generating_ptr& g) {
  const auto& made = g->made;
  if (!made)
    return g->call.refuse(made.error().message);
  if (made->text.size() > room_for(g->asked))
    return g->call.refuse("The text has " + std::to_string(made->text.size()) +
                          " bytes: give a path, or max_bytes of " +
                          std::to_string(made->text.size() + sentence_bytes) + ".");
  deliver(g, *made);
}

void gather(const generating_ptr& g) {
  gather_events(g->call, g->asked.url, [g](gathered_ptr found) {
    if (!found->kept->any_source_seen)
      return g->call.health([g](const nlohmann::json& health) {
        g->call.refuse("Nothing to make it of: " + absence_of_telemetry(health));
      });
    g->found = std::move(found);
    g->now = g->call.wall_now();
    g->limit = g->call.limit();
    do_aside(
        g->call, size_of_work(*g->found), [g] { make(*g); }, [g] { hand_out(g); });
  });
}

/// The title of the alert with that id; empty: there is none.
std::string title_of(const alert_listing& listing, std::string_view id) {
  const auto found =
      std::find_if(listing.items.begin(), listing.items.end(),
                   [&](const listed_alert& a) { return "alert_" + std::to_string(a.id) == id; });
  if (found == listing.items.end())
    return {};
  return nlohmann::json::parse(found->text, nullptr, false).value("title", std::string{});
}

void find_alert_first(const generating_ptr& g) {
  if (g->asked.id.empty())
    return gather(g);
  g->call.alerts([g](const alert_listing& listing) {
    g->alert_title = title_of(listing, g->asked.id);
    if (g->alert_title.empty())
      return g->call.refuse(
          "No alert has that id; observe {\"what\":\"alerts\"} lists the last ones.");
    gather(g);
  });
}

void start(const tool_call& call, const generation& what, const std::string& state_directory,
           generate_call asked) {
  if (!asked.path.empty() && !call.asker().origin.empty())
    return call.refuse("A page may not write files; ask without path.");
  auto g = std::make_shared<generating>(
      generating{call, what, state_directory, std::move(asked), {}, {}, {}, {}, {}});
  find_alert_first(g);
}

} // namespace

tool_mode generation_mode(const generation& what, const std::string& state_directory,
                          const limits_of<result_room>& limit) {
  return make_mode(what.name, what.about, generate_parameters(limit),
                   [what, state_directory](const tool_call& call, generate_call asked) {
                     start(call, what, state_directory, std::move(asked));
                   });
}

} // namespace gasoline
