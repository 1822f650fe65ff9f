#pragma once

#include <filesystem>

namespace gasoline {

/// How `gasoline replay` shows what clients are told.
enum class replay_format { text, jsonl };

/// Plays one scenario file and prints it to stdout; answers the exit code: 0 when every
/// expectation held, 1 when one did not, 2 when the file is no scenario.
int run_replay(const std::filesystem::path& file, replay_format format);

} // namespace gasoline
