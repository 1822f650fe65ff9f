#pragma once

#include "messages/base/atoms.hpp"
#include "messages/base/own_log.hpp"

#include <exception>

namespace gasoline {

/// Makes an exception that leaves a handler end the actor with a logged reason. Without it CAF
/// prints to stdout, which belongs to the protocol.
template <class Self>
void guard_exceptions(Self* self) {
  self->set_exception_handler([name = self->name()](std::exception_ptr& e) -> caf::error {
    try {
      std::rethrow_exception(e);
    } catch (const std::exception& x) {
      own_log::critical("{} failed: {}", name, x.what());
    } catch (...) {
      own_log::critical("{} failed with an unknown exception", name);
    }
    return caf::make_error(caf::sec::runtime_error);
  });
}

} // namespace gasoline
