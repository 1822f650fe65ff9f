#pragma once

#include <memory>
#include <string>

namespace gasoline {

/// A file that was fetched from a page's own server, or why it was not.
struct fetched_file {
  std::string address;
  std::string problem; ///< some words; empty: it is here
  std::string body;
  std::string etag;        ///< may be empty
  std::string map_address; ///< the source map that its head names; may be empty
  bool is_map = false;     ///< it was asked for as the source map of a script
  bool unchanged = false;  ///< it is as it was when `etag` was told; without body
};

using fetched_file_ptr = std::shared_ptr<const fetched_file>;

} // namespace gasoline
