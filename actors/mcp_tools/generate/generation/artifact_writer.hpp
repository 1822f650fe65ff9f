#pragma once

#include "actors/mcp_tools/generate/generation/artifact_file.hpp"
#include "messages/actors.hpp"

#include <caf/all.hpp>

#include <memory>

namespace gasoline {

/// Shared, since a message is copied and a text may be large.
using artifact_file_ptr = std::shared_ptr<const artifact_file>;

/// Writes one file and ends.
using artifact_writer_actor = caf::typed_actor<
    // Answers the file's absolute path, or the sentence that says why it was not written.
    caf::replies_to<write_atom, artifact_file_ptr>::with<command_answer>>;

/// Writes it at once and answers the same.
command_answer written_artifact(const artifact_file& file);

/// On a thread of its own for as long as the disk takes, so that nobody waits for it.
artifact_writer_actor spawn_artifact_writer(caf::actor_system& system);

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::artifact_file_ptr)
