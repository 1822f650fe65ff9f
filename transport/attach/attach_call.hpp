#pragma once

#include "messages/base/file_descriptor.hpp"
#include "transport/attach/attach_hello.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace gasoline {

/// A socket to an engine that has said hello.
struct attach_call {
  file_descriptor socket;
  attach_hello engine;
  std::string rest; ///< what has come behind the hello
};

/// Why there is none.
enum class attach_failure : std::uint8_t {
  absent, ///< nobody listens, or the engine is about to end: worth another attempt
  silent, ///< somebody listens and says nothing in time
  foreign ///< what listens is not of this user or speaks another version
};

struct attach_problem {
  attach_failure kind = attach_failure::absent;
  std::string sentence;
};

/// Connects to the engine at `path` and exchanges hellos.
tl::expected<attach_call, attach_problem> call_attached_engine(const std::filesystem::path& path,
                                                               attach_role role,
                                                               std::chrono::milliseconds patience);

/// The next line from the engine, without line break; nothing when none comes in time.
std::optional<std::string> read_line(attach_call& call, std::chrono::milliseconds patience);

} // namespace gasoline
