#include "actors/frames/scripts/map_reader.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/frames/scripts/disk_script.hpp"

namespace gasoline {

map_reader_actor::behavior_type
map_reader(map_reader_actor::stateful_pointer<map_reader_state> self, source_map_caps caps,
           std::uint64_t script_bytes) {
  guard_exceptions(self);
  return {
      [caps](receive_atom, const fetched_file_ptr& file) {
        return std::make_shared<const script_reading>(read_file(*file, caps));
      },
      [caps, script_bytes](query_atom, const std::string& path) {
        return std::make_shared<const script_reading>(read_disk_script(path, script_bytes, caps));
      },
  };
}

} // namespace gasoline
