#include "transport/cdp/browser_launcher.hpp"

#include "messages/base/own_log.hpp"
#include "transport/cdp/browser_process.hpp"
#include "transport/cdp/browser_search.hpp"
#include "transport/cdp/owned_link.hpp"
#include "transport/cdp/pipe_link.hpp"

#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace gasoline {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool has_display() {
  return !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
}

} // namespace

browser_launcher::browser_launcher(boost::asio::io_context& io, const settings& config)
    : io_(io),
      settings_(config.browser),
      profile_(config.state_dir / "browser"),
      limit_(config.limit) {}

std::shared_ptr<browser_link> browser_launcher::connect(std::uint64_t number,
                                                        browser_reader reader) {
  const auto refuse = [&](const user_error& error) {
    caf::anon_send(reader, lost_atom_v, number, browser_loss{error.message});
    return nullptr;
  };
  const auto program = find_browser(settings_, variable("PATH"));
  if (!program)
    return refuse(program.error());
  const auto command =
      browser_command_of(settings_, *program, profile_, ::geteuid() == 0, has_display());
  auto process = start_browser(command.words);
  if (!process)
    return refuse(process.error());
  if (!command.warning.empty())
    own_log::warn("{}", command.warning);
  own_log::info("started the browser {}", program->string());
  auto link =
      std::make_shared<pipe_link>(io_, std::move(*process), number, std::move(reader), limit_);
  link->start();
  return std::make_shared<owned_link<pipe_link>>(std::move(link));
}

} // namespace gasoline
