#pragma once

namespace gasoline {

/// For a process that goes on after the job of its terminal has ended: it gets neither the keys of
/// the user nor the hang-up, and is not stopped when it writes there.
void outlive_job();

} // namespace gasoline
