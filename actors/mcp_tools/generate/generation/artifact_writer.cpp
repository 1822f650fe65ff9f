#include "actors/mcp_tools/generate/generation/artifact_writer.hpp"

#include "actors/base/exception_guard.hpp"
#include "messages/base/spawned_alone.hpp"

namespace gasoline {
namespace {

artifact_writer_actor::behavior_type artifact_writer(artifact_writer_actor::pointer self,
                                                     spawned_alone) {
  guard_exceptions(self);
  return {
      [self](write_atom, const artifact_file_ptr& file) {
        self->quit();
        return written_artifact(*file);
      },
  };
}

} // namespace

command_answer written_artifact(const artifact_file& file) {
  auto path = write_artifact(file);
  return path ? command_answer{std::move(*path), false}
              : command_answer{std::move(path.error().message), true};
}

artifact_writer_actor spawn_artifact_writer(caf::actor_system& system) {
  return system.spawn<caf::detached>(artifact_writer, spawned_alone{});
}

} // namespace gasoline
