#pragma once

#include "messages/base/file_descriptor.hpp"

#include <filesystem>
#include <string_view>

namespace gasoline::bench {

/// A client at the attach socket of the engine with that state directory; blocking.
class attached_peer {
 public:
  explicit attached_peer(const std::filesystem::path& state_dir);

  bool joined() const { return static_cast<bool>(socket_); }

  /// Writes all of it; false: the engine has closed the connection, or takes nothing any more.
  bool send(std::string_view bytes);

 private:
  file_descriptor socket_;
};

} // namespace gasoline::bench
