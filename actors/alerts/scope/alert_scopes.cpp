#include "actors/alerts/scope/alert_scopes.hpp"

#include "actors/base/url_pieces.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::size_t most_working_directories = 64;
constexpr std::size_t most_places = 200;
constexpr std::chrono::seconds place_age{5};

/// The program of this machine that serves that URL.
std::optional<program_key> program_at(std::string_view address) {
  const auto url = take_apart(address);
  if (!is_local_host(url.host))
    return std::nullopt;
  std::uint16_t port = url.scheme == "https" || url.scheme == "wss" ? 443 : 80;
  if (!url.port.empty()) {
    const auto [end, error] =
        std::from_chars(url.port.data(), url.port.data() + url.port.size(), port);
    if (error != std::errc{} || end != url.port.data() + url.port.size())
      return std::nullopt;
  }
  return port == 0 ? std::nullopt : std::optional{program_key{port, 0}};
}

/// The program that serves the alert's page, or that told of it.
std::optional<program_key> program_of(const alert& a) {
  if (a.ci)
    return std::nullopt;
  if (a.pid != 0)
    return program_key{0, a.pid};
  return program_at(a.page.empty() ? a.url.view() : a.page.view());
}

bool has_root(const std::vector<project>& projects, const std::string& root) {
  return std::any_of(projects.begin(), projects.end(),
                     [&](const project& one) { return one.root == root; });
}

} // namespace

void alert_scopes::know(const std::string& directory) {
  if (directory.empty() || directory.front() != '/')
    return;
  std::erase(directories_, directory);
  directories_.push_back(directory);
  if (directories_.size() > most_working_directories)
    directories_.erase(directories_.begin());
}

bool alert_scopes::view::covers(const provenance& p) const {
  return all_ || std::any_of(mine_.begin(), mine_.end(),
                             [&](const project& one) { return concerns(p, one, known_); });
}

bool alert_scopes::view::covers(const merged_alert& m) const {
  if (all_)
    return true;
  const auto found = from_->located_.find(m.id);
  return covers(provenance_of(*m.shown, found == from_->located_.end() ? "" : found->second));
}

alert_scopes::view alert_scopes::of(const std::vector<std::string>& directories, mono_time now) {
  view out;
  out.from_ = this;
  const auto add_new = [](std::vector<project>& to, const project& one) {
    if (!has_root(to, one.root))
      to.push_back(one);
  };
  for (const auto& directory : directories)
    if (!directory.empty() && directory.front() == '/')
      add_new(out.mine_, files_.of(directory, now));
  if (out.mine_.empty())
    return out;
  for (const auto& other : directories_)
    if (const auto& one = files_.of(other, now); !has_root(out.mine_, one.root))
      add_new(out.known_, one);
  const bool has_lists = std::any_of(out.mine_.begin(), out.mine_.end(),
                                     [](const project& one) { return one.lists.has_value(); });
  out.all_ = out.known_.empty() && !has_lists;
  return out;
}

std::optional<program_key> alert_scopes::to_locate(const alert& a) const {
  const auto program = directories_.empty() ? std::nullopt : program_of(a);
  return program && places_.count(*program) == 0 ? program : std::nullopt;
}

std::optional<program_key> alert_scopes::to_look_again(const alert& a, mono_time now) {
  const auto program = program_of(a);
  const auto known = program ? places_.find(*program) : places_.end();
  if (known == places_.end() || now - known->second.seen < place_age)
    return std::nullopt;
  known->second.seen = now;
  return program;
}

void alert_scopes::note_place(const program_key& program, std::string directory, mono_time now) {
  if (places_.size() >= most_places && places_.count(program) == 0) {
    const auto oldest =
        std::min_element(places_.begin(), places_.end(), [](const auto& a, const auto& b) {
          return a.second.seen < b.second.seen;
        });
    places_.erase(oldest);
  }
  places_[program] = {std::move(directory), now};
}

std::string alert_scopes::directory_of(const alert& a) const {
  const auto program = program_of(a);
  const auto known = program ? places_.find(*program) : places_.end();
  return known == places_.end() ? std::string{} : known->second.directory;
}

provenance alert_scopes::located(provenance p) const {
  const auto program = p.is_ci || !p.directory.empty() ? std::nullopt : program_at(p.page);
  const auto known = program ? places_.find(*program) : places_.end();
  if (known != places_.end())
    p.directory = known->second.directory;
  return p;
}

std::vector<std::string> alert_scopes::concerned(const provenance& p, mono_time now) {
  const auto found = located(p);
  std::vector<std::string> out;
  for (const auto& directory : directories_) {
    const auto scope = of({directory}, now);
    for (const auto& one : scope.mine())
      if (scope.covers(found) && std::find(out.begin(), out.end(), one.root) == out.end())
        out.push_back(one.root);
  }
  return out;
}

void alert_scopes::keep(const alert& a, std::uint64_t oldest) {
  located_.erase(located_.begin(), located_.lower_bound(oldest));
  if (auto directory = directory_of(a); !directory.empty())
    located_.try_emplace(a.id, std::move(directory));
}

} // namespace gasoline
