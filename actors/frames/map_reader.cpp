#include "actors/frames/map_reader.hpp"

#include "actors/base/exception_guard.hpp"

namespace gasoline {

map_reader_actor::behavior_type
map_reader(map_reader_actor::stateful_pointer<map_reader_state> self, source_map_caps caps) {
  guard_exceptions(self);
  return {
      [caps](receive_atom, const fetched_file_ptr& file) {
        return std::make_shared<const script_reading>(read_file(*file, caps));
      },
  };
}

} // namespace gasoline
