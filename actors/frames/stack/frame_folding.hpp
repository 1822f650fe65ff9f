#pragma once

#include "actors/frames/stack/stack_frame.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace gasoline {

/// Whether a frame is not of the project: of a package, of what bundlers and development servers
/// put into a page, of the page script, of an extension, or of the browser itself.
bool is_library_frame(const stack_frame& frame);

/// The package that an address below `node_modules` is of; empty when it names none.
std::string_view package_of(std::string_view file);

/// How the folded form of a stack is written.
struct folding {
  std::string_view page;      ///< address of the page, whose origin is left out
  std::size_t own_frames = 4; ///< at most so many frames of the project
};

/// The place of a frame as a reader needs it: without the page's origin, and without the query
/// that only keeps caches apart.
std::string shown_place(const stack_frame& frame, std::string_view page);

/// The first frame that tells whose fault it is: of the project, else the first with a place.
std::optional<stack_frame> leading_frame(std::string_view stack);

/// Own frames first, one a line, as V8 writes them; then one line for all that was left out:
/// `+9 in react-dom, scheduler`. Empty when the stack has no frames.
std::string folded_stack(std::string_view stack, const folding& how);

/// A message with what frameworks append to it as one line: the places of a component stack as the
/// names of the components (`in Cart < App`), blank lines gone.
std::string folded_message(std::string_view message);

} // namespace gasoline
