#include "actors/frames/named_scripts.hpp"

#include "actors/frames/event_places.hpp"
#include "actors/frames/frame_rewriting.hpp"
#include "actors/frames/scripts/disk_script.hpp"
#include "actors/frames/stack/frame_folding.hpp"

#include <utility>

namespace gasoline {
namespace {

/// The scripts that an event of a page names; those that its evaluated code may stand in are last.
std::vector<std::string> scripts_of_page(const raw_event& e, const std::string& origin) {
  std::vector<std::string> out;
  const auto& page = page_address(e);
  const auto document = std::string_view{page}.substr(0, page.find('#'));
  const auto add = [&](std::string_view file) {
    if (file != document) // an inline script: its lines are the document's own
      out.emplace_back(file);
  };
  const auto places = places_of(e, origin);
  for_each_mappable(places, origin, add);
  if (has_evaluated_frames(places))
    for (auto& script : listed_scripts(e, origin))
      out.push_back(std::move(script));
  return out;
}

/// The scripts on the disk that an event of a program names.
std::vector<std::string> scripts_of_program(const raw_event& e) {
  std::vector<std::string> out;
  for_each_line(e.stack, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    if (!frame || frame->line == 0 || is_library_frame(*frame))
      return true;
    if (const auto path = disk_path(frame->file); !path.empty())
      out.emplace_back(path);
    return true;
  });
  return out;
}

} // namespace

std::vector<std::string> named_scripts(const raw_event& e, const std::string& origin) {
  return origin.empty() ? scripts_of_program(e) : scripts_of_page(e, origin);
}

std::string_view file_of_address(std::string_view address) {
  const auto path = address.substr(0, address.find('?'));
  return path.substr(path.rfind('/') + 1);
}

} // namespace gasoline
