#include "tools/doctor/engine_checks.hpp"

#include "config/version.hpp"
#include "messages/base/json/object_members.hpp"
#include "messages/telemetry/absence_of_telemetry.hpp"
#include "tools/doctor/health_question.hpp"
#include "tools/doctor/script_integrity.hpp"
#include "tools/engine/access_token.hpp"
#include "tools/engine/engine_lock.hpp"
#include "tools/engine/state_directory.hpp"
#include "tools/page_script/page_script.hpp"
#include "transport/http/rights/port_owner.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Clients, origins, conversations beyond these are counted, so that all stays on one screen.
constexpr std::size_t most_rows = 5;

json part_of(const json& document, const char* key, json otherwise) {
  const auto found = document.find(key);
  return found != document.end() && found->type() == otherwise.type() ? *found : otherwise;
}

/// The number under the key; 0: there is none.
std::uint64_t number_in(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_number_unsigned()
             ? found->get<std::uint64_t>()
             : 0;
}

// The program and where it keeps things

void check_program(diagnosis& out) {
  std::error_code ec;
  const auto engine = fs::read_symlink("/proc/self/exe", ec);
  const auto program = engine.parent_path() / "gasoline";
  out.row("program", program.string() + ", version " + std::string{program_version()});
  if (::access(program.c_str(), X_OK) != 0)
    out.wrong("program", program.string() +
                             " is missing; hooks and editors start it. Install gasoline and "
                             "gasoline-engine into one directory.");
  if (engine.string().find(" (deleted)") != std::string::npos)
    out.wrong("program", "This program was replaced while it ran; call it again.");
}

void check_lock(const std::optional<lock_holder>& holder, diagnosis& out) {
  out.row("lock", !holder            ? "free"
                  : holder->pid == 0 ? "held"
                                     : "held by pid " + std::to_string(holder->pid));
}

void check_socket(const fs::path& socket, bool engine_runs, diagnosis& out) {
  struct stat status {};
  const bool is_there = ::lstat(socket.c_str(), &status) == 0;
  const bool is_socket = is_there && S_ISSOCK(status.st_mode);
  out.row("socket", socket.string() + (is_socket ? "" : " (absent)"));
  if (is_there && !is_socket)
    out.wrong("socket", socket.string() + " is no socket. Remove it; the engine makes it anew.");
  else if (engine_runs && !is_there)
    out.wrong("socket", "The engine's socket is gone, so hooks and further editors cannot reach "
                        "it. End the engine; the next start makes the socket anew.");
  else if (is_socket && (status.st_uid != ::getuid() || (status.st_mode & 0077U) != 0))
    out.wrong("socket", socket.string() + " is open to other users. Run `chmod 600 " +
                            socket.string() + "`, and end the engine if it is not yours.");
}

void check_token(const settings& config, diagnosis& out) {
  const auto file = token_path(config);
  const auto token = read_token(config);
  std::error_code ec;
  const bool absent = !token && !fs::exists(file, ec);
  out.row("token", file.string() + (absent ? " (made at the first start)" : ""));
  if (!token && !absent)
    out.wrong("token", token.error().message);
}

/// Those that the settings have changed.
void check_limits(const limits& limit, diagnosis& out) {
  const limits usual;
  std::string text;
  std::size_t changed = 0;
  for (const auto& row : limit_table())
    if (row.get(limit) != row.get(usual) && ++changed <= most_rows)
      text += std::string{row.name} + " = " + std::to_string(row.get(limit)) + ", ";
  if (const auto rest = counted_rest(changed, most_rows); !rest.empty())
    text += rest + ", ";
  out.row("limits", (text.empty() ? std::string{"as built in"} : text + "others as built in") +
                        "; --limits lists all");
}

// What a running engine tells

void check_clients(const json& clients, diagnosis& out) {
  for (std::size_t i = 0; i < std::min(most_rows, clients.size()); ++i)
    out.row("client", text_member(clients[i], "name") + " over " +
                          text_member(clients[i], "transport") + ", streaming " +
                          (clients[i].value("streaming", false) ? "on" : "off"));
  if (const auto rest = counted_rest(clients.size(), most_rows); !rest.empty())
    out.row("client", rest);
}

/// What was refused of each sender, and why the last time.
void check_senders(const json& senders, diagnosis& out) {
  for (const auto& [name, one] : senders.items())
    if (const auto refused = number_in(one, "refused"); refused > 0)
      out.note("refused", name + ": " + std::to_string(refused) + " refused, the last at " +
                              text_member(one, "refused_last") + ": " + text_member(one, "why"));
}

void check_sources(const json& health, diagnosis& out) {
  std::string text;
  const auto sources = part_of(health, "sources", json::object());
  for (const auto& [source, at] : sources.items())
    if (at.is_string())
      text += (text.empty() ? "" : ", ") + source + " " + at.get<std::string>();
  out.row("last event", text.empty() ? "none" : text);
  check_senders(part_of(health, "senders", json::object()), out);
  if (!text.empty())
    return;
  auto why = absence_of_telemetry(health);
  why.front() = 'N';
  out.note("last event", std::move(why));
}

void check_refusals(const json& health, diagnosis& out) {
  for (auto& line : refused_callers(health))
    out.row("refused", std::move(line));
  if (auto page = refused_page(health))
    out.wrong("refused", std::move(*page));
}

std::string shown_text(const json& shown) {
  std::string out;
  for (const auto& [channel, n] : shown.items())
    if (n.is_number_unsigned() && n.get<std::uint64_t>() > 0)
      out += (out.empty() ? "" : ", ") + channel + " " + n.dump();
  return out;
}

std::string conversation_text(const json& one) {
  auto who = text_member(one, "agent");
  if (who.empty())
    who = "a client without hooks";
  if (const auto id = text_member(one, "conversation"); !id.empty())
    who += " " + id.substr(0, 8);
  if (const auto directory = text_member(one, "directory"); !directory.empty())
    who += " in " + directory;
  const auto shown = shown_text(part_of(one, "shown", json::object()));
  return who + ": raised " + std::to_string(number_in(one, "raised")) + ", shown " +
         (shown.empty() ? "0" : "by " + shown) + ", pending " +
         std::to_string(number_in(one, "pending")) +
         (number_in(one, "of_other_projects") > 0
              ? ", of other projects " + std::to_string(number_in(one, "of_other_projects"))
              : "");
}

void check_conversations(json conversations, diagnosis& out) {
  constexpr std::size_t most = 3;
  std::stable_sort(conversations.begin(), conversations.end(), [](const json& a, const json& b) {
    return number_in(a, "pending") > number_in(b, "pending");
  });
  std::uint64_t pending = 0;
  for (const auto& one : conversations) {
    pending += number_in(one, "pending");
    if (const auto problem = text_member(one, "scope_problem"); !problem.empty())
      out.wrong("alerts", problem);
  }
  for (std::size_t i = 0; i < std::min(most, conversations.size()); ++i)
    out.row("alerts", conversation_text(conversations[i]));
  if (const auto rest = counted_rest(conversations.size(), most); !rest.empty())
    out.row("alerts", rest + " conversations");
  if (pending > 0)
    out.note("alerts", std::to_string(pending) +
                           " alerts wait for their conversation's next hook or call of observe. "
                           "Where hooks are missing, `gasoline setup` adds them.");
}

void check_dropped(const json& dropped, diagnosis& out) {
  std::string text;
  for (const auto& [name, n] : dropped.items())
    if (n.is_number() && n.get<double>() > 0)
      text += (text.empty() ? "" : ", ") + name + " " + n.dump();
  if (!text.empty())
    out.note("limits", "Dropped by limits: " + text +
                           ". `gasoline doctor --limits` lists the limits; the configuration file "
                           "raises them.");
}

/// How often each rule has masked something, the most frequent first.
void check_masks(const json& redactor, diagnosis& out) {
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  const auto masks = part_of(redactor, "masks", json::object());
  for (const auto& [rule, n] : masks.items())
    if (n.is_number_unsigned() && n.get<std::uint64_t>() > 0)
      rows.emplace_back(n.get<std::uint64_t>(), rule);
  std::sort(rows.rbegin(), rows.rend());
  std::string text;
  for (std::size_t i = 0; i < std::min(most_rows, rows.size()); ++i)
    text += (text.empty() ? "" : ", ") + rows[i].second + " " + std::to_string(rows[i].first);
  if (const auto rest = counted_rest(rows.size(), most_rows); !rest.empty())
    text += ", " + rest;
  if (!text.empty())
    out.row("masked", text);
}

/// What is stored of agent sessions, and how long it is kept.
void check_trace(const json& trace, diagnosis& out) {
  constexpr double mib = 1024.0 * 1024.0;
  constexpr double day_ms = 86'400'000.0;
  if (trace.contains("problem"))
    out.wrong("sessions", "Agent sessions: " + text_member(trace, "problem"));
  const auto kept = part_of(trace, "retention", json::object());
  if (kept.empty())
    return;
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << trace.value("bytes", 0.0) / mib
       << " MiB stored; turns are kept for " << kept.value("age_ms", 0.0) / day_ms
       << " days, up to " << std::setprecision(0) << kept.value("bytes", 0.0) / mib
       << " MiB in all and " << kept.value("events_per_session", 0) << " events in each; "
       << trace.value("pruned_events", 0) << " events were removed since the start";
  out.row("sessions", text.str());
}

void check_version(const json& health, diagnosis& out) {
  const auto runs = text_member(health, "version");
  if (runs != program_version())
    out.wrong("engine", "The engine is of version " + runs + ", this program of version " +
                            std::string{program_version()} + ". End it with `kill " +
                            std::to_string(number_in(health, "pid")) +
                            "`; the next start takes this one.");
}

void check_health(const json& health, diagnosis& out) {
  out.row("engine", "running, pid " + std::to_string(number_in(health, "pid")) + ", version " +
                        text_member(health, "version") + ", up " +
                        std::to_string(number_in(health, "uptime_seconds")) + " s");
  check_version(health, out);
  out.row("token required", health.value("token_required", false) ? "yes" : "no");
  if (health.contains("http_problem"))
    out.wrong("port", "No HTTP: " + text_member(health, "http_problem"));
  check_clients(part_of(health, "clients", json::array()), out);
  check_sources(health, out);
  check_refusals(health, out);
  check_conversations(part_of(health, "conversations", json::array()), out);
  check_masks(part_of(health, "redactor", json::object()), out);
  check_trace(part_of(health, "trace", json::object()), out);
  check_dropped(part_of(health, "dropped", json::object()), out);
}

std::string absence(std::uint16_t port, const std::optional<lock_holder>& holder,
                    const std::optional<port_owner>& owner) {
  if (holder) {
    const auto pid = holder->pid == 0 ? std::string{"PID"} : std::to_string(holder->pid);
    return "The engine of " + (holder->pid == 0 ? "another process" : "process " + pid) +
           " does not answer. Continue it, or end it with `kill " + pid + "`.";
  }
  if (owner)
    return "Port " + std::to_string(port) + " is held by " + owner->program + " (pid " +
           std::to_string(owner->pid) + "). Choose another with --port, or end that program.";
  return "No engine runs. Start one with `gasoline serve`, or let your editor start `gasoline "
         "mcp`.";
}

/// What a page's server sends along so that its browser reports here by itself.
std::string report_header(std::uint16_t port) {
  const auto address = "http://localhost:" + std::to_string(port) + "/reports";
  return "Reporting-Endpoints: gasoline=\"" + address +
         "\"  and in its Content-Security-Policy: report-to gasoline; report-uri " + address;
}

std::string port_text(std::uint16_t port, bool written, const std::optional<port_owner>& owner) {
  auto out = std::to_string(port) + (written ? " (from the port file)" : " (configured)");
  if (owner)
    out += ", held by " + owner->program + " (pid " + std::to_string(owner->pid) + ")";
  return out;
}

} // namespace

std::optional<json> check_engine(const settings& config, diagnosis& out) {
  check_program(out);
  const auto written = read_port_file(config.state_dir);
  const auto port = written.value_or(config.port);
  const auto owner = port == 0 ? std::nullopt : find_port_owner(port);
  out.row("state", config.state_dir.string());
  if (const auto problem = state_directory_problem(config.state_dir))
    out.wrong("state", problem->message);
  out.row("port", port_text(port, written.has_value(), owner));
  const auto holder = find_lock_holder(config.state_dir);
  const bool named = holder && !holder->socket.empty();
  const auto socket = named ? holder->socket : config.attach_socket;
  check_lock(holder, out);
  auto health = ask_health(config, socket, port);
  check_socket(socket, health.has_value(), out);
  check_token(config, out);
  if (health) {
    check_health(*health, out);
  } else {
    out.row("engine", holder ? "does not answer" : "not running");
    out.wrong("engine", absence(port, holder, owner));
  }
  if (!page_script().empty())
    out.row("script", "<script crossorigin src=…/gasoline.js integrity=\"" +
                          script_integrity(page_script()) + "\">");
  if (port != 0)
    out.row("reports", report_header(port));
  check_limits(config.limit, out);
  return health;
}

} // namespace gasoline
