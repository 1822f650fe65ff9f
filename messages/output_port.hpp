#pragma once

#include "messages/actors.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace gasoline {

/// A byte sink that never blocks the actor that writes to it.
class output_port {
 public:
  virtual ~output_port() = default;

  /// Writes as much of `bytes` as can be taken at once; answers how much, or nothing when the
  /// reader is gone.
  virtual std::optional<std::size_t> write_some(std::string_view bytes) = 0;

  /// Sends `writable_atom` to `writer` once more bytes can be taken.
  virtual void notify_when_writable(const line_writer_actor& writer) = 0;
};

} // namespace gasoline
