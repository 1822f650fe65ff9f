#include "tools/replay/scenario_server.hpp"

#include "actors/base/exception_guard.hpp"

#include <utility>

namespace gasoline {
namespace {

/// A fetch that has nothing to end: what is to come is on its way already.
class answered_fetch final : public http_fetch {
 public:
  void cancel() override {}
};

void tell(const fetch_reader& reader, const serve_step& file) {
  caf::anon_send(reader, open_atom_v, fetch_head{file.status, file.headers});
  if (!file.body.empty())
    caf::anon_send(reader, receive_atom_v, file.body);
  caf::anon_send(reader, finished_atom_v);
}

/// Answers after the delay, and ends.
void late_answer(caf::event_based_actor* self, const fetch_reader& reader, const serve_step& file) {
  guard_exceptions(self);
  self->become([self, reader, file](tick_atom) {
    tell(reader, file);
    self->quit();
  });
  self->delayed_send(self, file.delay, tick_atom_v);
}

} // namespace

void scenario_server::serve(serve_step step) {
  files_[step.address] = std::move(step);
}

std::shared_ptr<http_fetch> scenario_server::start(fetch_request request, fetch_reader reader) {
  const auto file = files_.find(request.url);
  if (file == files_.end())
    caf::anon_send(reader, closed_atom_v,
                   fetch_failure{fetch_problem::unreachable, "Nobody listens there."});
  else if (file->second.status >= 300 && file->second.status < 400 && file->second.status != 304)
    caf::anon_send(reader, closed_atom_v,
                   fetch_failure{fetch_problem::refused, "A redirect is not followed."});
  else if (file->second.status != 0 && file->second.delay.count() == 0)
    tell(reader, file->second);
  else if (file->second.status != 0)
    system_.spawn(late_answer, reader, file->second);
  return std::make_shared<answered_fetch>();
}

} // namespace gasoline
