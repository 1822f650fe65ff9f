#pragma once

namespace gasoline {

/// Lets the heap grow in large steps and give back only what is much, so that an event costs no
/// system call for memory once the engine is warm. Call it first, before other threads start.
void keep_memory_quiet();

} // namespace gasoline
