#include "actors/frames/frame_leader.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/frames/event_places.hpp"
#include "actors/frames/named_scripts.hpp"
#include "actors/frames/scripts/disk_script.hpp"
#include "actors/frames/stack/frame_folding.hpp"
#include "actors/frames/stack/project_path.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {
namespace {

using knowledge = known_script::knowledge;

/// Marks an event whose frames could not be led back.
void mark_unmapped(raw_event& e, std::string_view reason) {
  std::string member;
  json_object_writer w{member};
  w.text("unmapped", reason).close();
  if (!e.fields.empty())
    e.fields += ',';
  e.fields += member.substr(1, member.size() - 2);
}

/// Why a script that an event names is not known; empty: it is, or it has no map.
std::string reason_unmapped(const known_script* script, std::string_view name) {
  if (script == nullptr || script->what == knowledge::none)
    return std::string{file_of_address(name)} +
           (name.starts_with('/') ? " was not read" : " was not answered") + " in time";
  return script->what == knowledge::failed ? script->problem : std::string{};
}

} // namespace

void frame_leader::lead_fault(raw_event& e) {
  names_ = named_scripts(e, origin_);
  const auto reason = reason_of(lacks_module(places_of(e, origin_)));
  auto out = rewrite_frames(e.stack, origin_, lookup());
  e.stack = std::move(out.text);
  counts_.mapped += out.mapped;
  lead_place(e);
  drop_listed_scripts(e);
  if (reason.empty())
    return;
  mark_unmapped(e, reason);
  ++counts_.unmapped;
}

void frame_leader::lead_line(raw_event& e) {
  const auto* script = scripts_.find(told_script(e));
  if (script != nullptr && script->map)
    lead_place(e);
}

map_lookup frame_leader::lookup() {
  return [this](std::string_view file) { return map_of(file); };
}

void frame_leader::lead_place(raw_event& e) {
  if (!origin_.empty() && lead_place_back(e, origin_, lookup()))
    ++counts_.mapped;
}

const source_map* frame_leader::map_of(std::string_view file) {
  if (is_bundler_address(file))
    return module_map(file);
  const auto name = origin_.empty() ? disk_path(file) : file;
  if (name.empty() || (!origin_.empty() && take_apart(file).origin != origin_))
    return nullptr;
  const auto* script = scripts_.find(name);
  return script != nullptr ? script->map.get() : nullptr;
}

/// The map of a module that one of the event's scripts holds as a text.
const source_map* frame_leader::module_map(std::string_view module) {
  for (const auto& name : names_)
    if (const auto* script = scripts_.find(name))
      if (const auto found = script->modules.find(module); found != script->modules.end())
        return found->second.get();
  return nullptr;
}

bool frame_leader::lacks_module(std::string_view stack) {
  bool lacks = false;
  for_each_line(stack, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    lacks = frame && is_bundler_address(frame->file) && !is_library_frame(*frame) &&
            module_map(frame->file) == nullptr;
    return !lacks;
  });
  return lacks;
}

std::string frame_leader::reason_of(bool lacks_module) {
  for (const auto& name : names_)
    if (auto reason = reason_unmapped(scripts_.find(name), name); !reason.empty())
      return reason;
  return lacks_module ? "lines are those of the evaluated module" : "";
}

} // namespace gasoline
