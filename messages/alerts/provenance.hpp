#pragma once

#include <string>
#include <vector>

namespace gasoline {

/// Where an alert, an event or a CI result comes from, as far as that is known; it decides of which
/// project it is. What is not known is empty.
struct provenance {
  std::string page;      ///< URL of the page, else of the request
  std::string service;   ///< what the program calls itself
  std::string text;      ///< that may name files of this machine: stack frames
  std::string directory; ///< where the process runs that serves the page, or that told of it
  bool is_ci = false;
  std::string ci_source;
  std::string ci_url; ///< address of the run
  std::string ref;    ///< its branch
};

/// Several, and an answer about each: whether it is of another project.
struct provenance_list {
  std::vector<provenance> items;
};
struct foreign_list {
  std::vector<bool> items;
};

} // namespace gasoline
