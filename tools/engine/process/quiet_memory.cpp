#include "tools/engine/process/quiet_memory.hpp"

#include <malloc.h>

namespace gasoline {
namespace {

constexpr int kib = 1024;
constexpr int mib = 1024 * kib;

} // namespace

void keep_memory_quiet() {
  // Nearly everything runs on one thread, and the heaps of further arenas grow by two pages each
  // time, with mprotect. The one arena grows by a megabyte.
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_TOP_PAD, mib);
  // Setting either turns off glibc's own adjustment of the other two.
  ::mallopt(M_TRIM_THRESHOLD, 4 * mib);
  ::mallopt(M_MMAP_THRESHOLD, 512 * kib);
}

} // namespace gasoline
