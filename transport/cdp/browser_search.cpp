#include "transport/cdp/browser_search.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

/// Browsers that speak the protocol, the freest first.
constexpr std::array<std::string_view, 6> known_browsers{"chromium",       "chromium-browser",
                                                         "google-chrome",  "google-chrome-stable",
                                                         "microsoft-edge", "chrome"};

/// Nothing of the browser's own may open windows, phone home or ask questions, and pages in the
/// background run as those in front.
constexpr std::array<std::string_view, 18> quiet_arguments{
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-search-engine-choice-screen",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider"};

bool is_program(const std::filesystem::path& file) {
  std::error_code ec;
  return std::filesystem::is_regular_file(file, ec) && ::access(file.c_str(), X_OK) == 0;
}

} // namespace

result_or<std::filesystem::path> find_browser(const browser_settings& settings,
                                              std::string_view path) {
  if (!settings.program.empty()) {
    if (is_program(settings.program))
      return settings.program;
    return tl::unexpected(user_error{"The browser " + settings.program.string() +
                                     " is no program that can be started; name another with "
                                     "--browser-path."});
  }
  for (const auto name : known_browsers)
    for (std::size_t begin = 0; begin <= path.size();) {
      const auto end = std::min(path.find(':', begin), path.size());
      const auto file = std::filesystem::path{path.substr(begin, end - begin)} / name;
      if (end > begin && is_program(file))
        return file;
      begin = end + 1;
    }
  return tl::unexpected(user_error{
      "No browser is in PATH; chromium, google-chrome, microsoft-edge and chrome are looked for. "
      "Install one, or name it with --browser-path."});
}

browser_command browser_command_of(const browser_settings& settings,
                                   const std::filesystem::path& program,
                                   const std::filesystem::path& profile, bool is_root,
                                   bool has_display) {
  browser_command out;
  out.words.push_back(program.string());
  out.words.insert(out.words.end(), quiet_arguments.begin(), quiet_arguments.end());
  out.words.push_back("--user-data-dir=" + profile.string());
  if (settings.headless || !has_display)
    out.words.emplace_back("--headless");
  const auto& more = settings.arguments;
  if (is_root && std::find(more.begin(), more.end(), "--no-sandbox") == more.end()) {
    out.words.emplace_back("--no-sandbox");
    out.warning = "the browser runs without its sandbox, since this is root; pages that nobody "
                  "trusts should be opened by another user";
  }
  out.words.insert(out.words.end(), more.begin(), more.end());
  out.words.emplace_back("--no-startup-window"); // pages are opened when somebody wants one
  return out;
}

} // namespace gasoline
