#pragma once

#include "config/settings.hpp"
#include "messages/base/file_descriptor.hpp"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <variant>

namespace gasoline {

/// The right to be the engine of one state directory: `flock` on its `engine.lock`, held until this
/// object or the process ends, however it ends. Only the holder binds the attach socket.
class engine_lock {
 public:
  engine_lock(file_descriptor file, std::filesystem::path socket)
      : file_(std::move(file)), socket_(std::move(socket)) {}

  /// Where the holder takes further clients.
  const std::filesystem::path& socket() const { return socket_; }

 private:
  file_descriptor file_;
  std::filesystem::path socket_;
};

/// The process that holds the lock, as it has written into the file.
struct lock_holder {
  pid_t pid = 0;                ///< 0: it has not said so yet
  std::filesystem::path socket; ///< where it takes clients; empty: it has not said so yet
};

/// The lock, who has it instead, or why nobody can have it there.
using lock_attempt = std::variant<engine_lock, lock_holder, user_error>;

/// Tries once, without waiting. What a holder writes into the file is its pid, for people to read,
/// and its attach socket, for clients whose environment would name another.
lock_attempt try_engine_lock(const settings& config);

/// Who holds the lock of that state directory, if anyone does.
std::optional<lock_holder> find_lock_holder(const std::filesystem::path& state_dir);

} // namespace gasoline
