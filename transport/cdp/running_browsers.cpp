#include "transport/cdp/running_browsers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::uint16_t usual_port = 9222;

/// Profiles below the directory of settings.
constexpr std::array<std::string_view, 9> profiles{"google-chrome",
                                                   "google-chrome-beta",
                                                   "google-chrome-unstable",
                                                   "chromium",
                                                   "microsoft-edge",
                                                   "microsoft-edge-beta",
                                                   "microsoft-edge-dev",
                                                   "BraveSoftware/Brave-Browser",
                                                   "vivaldi"};

/// Those of packages that keep a home of their own, below the user's.
constexpr std::array<std::string_view, 5> packaged_profiles{
    "snap/chromium/common/chromium", ".var/app/com.google.Chrome/config/google-chrome",
    ".var/app/org.chromium.Chromium/config/chromium",
    ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
    ".var/app/com.microsoft.Edge/config/microsoft-edge"};

template <class Number>
bool read_number(std::string_view text, Number& into) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

/// `http://127.0.0.1:9222`, which the settings have checked.
browser_door door_of(std::string_view address) {
  browser_door out;
  const auto colon = address.rfind(':');
  out.host = address.find('[') == std::string_view::npos ? "127.0.0.1" : "::1";
  read_number(address.substr(colon + 1), out.port);
  return out;
}

using dated_door = std::pair<fs::file_time_type, browser_door>;

void add_profile(std::vector<dated_door>& out, const fs::path& profile) {
  std::error_code ec;
  const auto file = profile / "DevToolsActivePort";
  const auto written = fs::last_write_time(file, ec);
  if (ec)
    return;
  std::ifstream stream{file};
  std::array<char, 512> text{};
  stream.read(text.data(), text.size());
  auto door = read_door({text.data(), static_cast<std::size_t>(stream.gcount())});
  if (door.port != 0)
    out.emplace_back(written, std::move(door));
}

} // namespace

browser_door read_door(std::string_view text) {
  browser_door out;
  const auto end = std::min(text.find('\n'), text.size());
  if (!read_number(text.substr(0, end), out.port))
    return {};
  out.host = "127.0.0.1";
  const auto rest = text.substr(std::min(end + 1, text.size()));
  const auto path = rest.substr(0, rest.find_first_of("\r\n"));
  if (path.starts_with('/') && path.find(' ') == std::string_view::npos)
    out.path = path;
  return out;
}

std::vector<browser_door> browser_doors(const browser_settings& settings, const fs::path& config,
                                        const fs::path& home) {
  if (!settings.address.empty())
    return {door_of(settings.address)};
  std::vector<dated_door> found;
  for (const auto profile : profiles)
    add_profile(found, config / profile);
  for (const auto profile : packaged_profiles)
    add_profile(found, home / profile);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<browser_door> out;
  for (auto& [written, door] : found)
    out.push_back(std::move(door));
  out.push_back({"127.0.0.1", usual_port, {}});
  return out;
}

} // namespace gasoline
