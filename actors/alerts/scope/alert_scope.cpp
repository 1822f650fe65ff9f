#include "actors/alerts/scope/alert_scope.hpp"

#include "actors/base/nested_directory.hpp"
#include "actors/base/url_pieces.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

std::string lower(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view branch_of(std::string_view ref) {
  constexpr std::string_view heads = "refs/heads/";
  return ref.substr(0, heads.size()) == heads ? ref.substr(heads.size()) : ref;
}

bool names_origin(const std::vector<std::string>& origins, const provenance& p) {
  const auto origin = comparable_origin(p.page);
  if (origin.empty())
    return false;
  const auto host = origin.substr(origin.find("://") + 3);
  return std::any_of(origins.begin(), origins.end(), [&](const std::string& named) {
    return named.find("://") == std::string::npos ? lower(named) == host
                                                  : comparable_origin(named) == origin;
  });
}

/// `https://github.com/acme/shop/actions/runs/1` as `github.com/acme/shop/actions/runs/1`.
std::string address_of(std::string_view url) {
  const auto parts = take_apart(url);
  if (parts.host.empty())
    return {};
  return lower(parts.host) + std::string{parts.path};
}

bool is_below(std::string_view address, std::string_view place) {
  return !place.empty() && address.substr(0, place.size()) == place &&
         (address.size() == place.size() || address[place.size()] == '/');
}

bool names_ci(const std::vector<std::string>& entries, const provenance& p) {
  return std::any_of(entries.begin(), entries.end(), [&](const std::string& entry) {
    const auto at = entry.rfind('@');
    const auto name = entry.substr(0, at);
    if (at != std::string::npos && entry.substr(at + 1) != branch_of(p.ref))
      return false;
    return name == p.ci_source || is_below(address_of(p.ci_url), name);
  });
}

bool names(const scope_lists& lists, const provenance& p) {
  if (p.is_ci)
    return names_ci(lists.ci, p);
  const bool is_service =
      !p.service.empty() &&
      std::find(lists.services.begin(), lists.services.end(), p.service) != lists.services.end();
  return is_service || names_origin(lists.origins, p);
}

/// Whether the lists say what of this kind is the project's, so that the rest is not.
bool settles(const scope_lists& lists, const provenance& p) {
  if (p.is_ci)
    return !lists.ci.empty();
  return (!p.service.empty() && !lists.services.empty()) ||
         (!p.page.empty() && !lists.origins.empty());
}

bool has_remote(const project& one, const provenance& p) {
  const auto address = address_of(p.ci_url);
  return std::any_of(one.remotes.begin(), one.remotes.end(),
                     [&](const std::string& remote) { return is_below(address, remote); });
}

bool has_branch(const project& one, const provenance& p) {
  return !one.branch.empty() && one.branch == branch_of(p.ref);
}

bool is_nested(const std::string& a, const std::string& b) {
  return is_inside(a, b) || is_inside(b, a);
}

/// Of the repository first, of the branch second.
bool concerns_ci(const provenance& p, const project& mine, const std::vector<project>& others) {
  const auto any_other = [&](auto test) {
    return std::any_of(others.begin(), others.end(), [&](const project& o) { return test(o); });
  };
  if (!has_remote(mine, p) && any_other([&](const project& o) { return has_remote(o, p); }))
    return false;
  const bool same = has_remote(mine, p);
  return has_branch(mine, p) || !any_other([&](const project& o) {
           return has_branch(o, p) && (!same || has_remote(o, p));
         });
}

bool names_files_of(const std::string& text, const std::string& root) {
  return root.size() > 1 && text.find(root + "/") != std::string::npos;
}

} // namespace

std::string comparable_origin(std::string_view url) {
  const auto parts = take_apart(url);
  if (parts.host.empty() || parts.scheme.empty())
    return {};
  const auto scheme = lower(parts.scheme);
  auto port = std::string{parts.port};
  if (port.empty() && scheme != "file")
    port = scheme == "https" || scheme == "wss" ? "443" : "80";
  return scheme + "://" + lower(parts.host) + (port.empty() ? "" : ":" + port);
}

provenance provenance_of(const alert& a, std::string directory) {
  provenance out;
  out.directory = std::move(directory);
  out.service = a.service.str();
  out.is_ci = a.ci.has_value();
  if (a.ci) {
    out.ci_source = a.ci->source.str();
    out.ref = a.ci->ref.str();
    out.ci_url = a.url.str();
    return out;
  }
  out.page = (a.page.empty() ? a.url : a.page).str();
  out.text = a.detail.str();
  return out;
}

bool concerns(const provenance& p, const project& mine, const std::vector<project>& known) {
  if (mine.lists && names(*mine.lists, p))
    return true;
  if (mine.lists && settles(*mine.lists, p))
    return false;
  std::vector<project> others;
  for (const auto& one : known)
    if (!is_nested(one.root, mine.root))
      others.push_back(one);
  const auto any_other = [&](auto test) {
    return std::any_of(others.begin(), others.end(), [&](const project& o) { return test(o); });
  };
  if (any_other([&](const project& o) { return o.lists && names(*o.lists, p); }))
    return false;
  if (p.is_ci)
    return concerns_ci(p, mine, others);
  if (names_files_of(p.text, mine.root))
    return true;
  if (any_other([&](const project& o) { return names_files_of(p.text, o.root); }))
    return false;
  if (p.directory.empty() || is_nested(p.directory, mine.root))
    return true;
  return !any_other([&](const project& o) { return is_inside(p.directory, o.root); });
}

} // namespace gasoline
