#include "actors/alerts/reader_directory.hpp"

#include "actors/base/nested_directory.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace gasoline {
namespace {

/// How far apart two processes are over the nearest agent process that they have in common;
/// nothing: they have none.
std::optional<std::size_t> distance_of(const agent_place& a, const agent_place& b) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < a.processes.size(); ++i)
    for (std::size_t j = 0; j < b.processes.size(); ++j)
      if (a.processes[i] == b.processes[j] && (!best || i + j < *best))
        best = i + j;
  return best;
}

/// How well two working directories agree; more is better.
int agreement_of(const agent_place& a, const agent_place& b) {
  if (a.directory.empty() || b.directory.empty())
    return 0;
  if (a.directory == b.directory)
    return 2;
  return is_inside(a.directory, b.directory) || is_inside(b.directory, a.directory) ? 1 : 0;
}

/// The one candidate that is nearest and, of equally near ones, agrees best; none when two do, or
/// when nothing but a remote ancestor speaks for it.
template <class Row>
class nearest {
 public:
  explicit nearest(const agent_place& place) : place_(place) {}

  void offer(Row row, const agent_place& its) {
    const auto distance = distance_of(place_, its);
    const auto agreement = agreement_of(place_, its);
    if (!distance || (*distance > 0 && agreement == 0))
      return;
    if (any_ && (*distance > distance_ || (*distance == distance_ && agreement < agreement_)))
      return;
    tied_ = any_ && *distance == distance_ && agreement == agreement_;
    best_ = row;
    any_ = true;
    distance_ = *distance;
    agreement_ = agreement;
  }

  std::optional<Row> found() const {
    return any_ && !tied_ ? std::optional<Row>{best_} : std::nullopt;
  }

 private:
  const agent_place& place_;
  Row best_{};
  bool any_ = false;
  std::size_t distance_ = 0;
  int agreement_ = 0;
  bool tied_ = false;
};

} // namespace

reader_id reader_directory::new_reader(mono_time now) {
  readers_[++last_reader_] = now;
  return last_reader_;
}

bool reader_directory::has_client(const conversation_key& key) const {
  return std::any_of(clients_.begin(), clients_.end(), [&](const auto& row) {
    return row.second.connected && row.second.belongs == key;
  });
}

bool reader_directory::is_connected(reader_id reader) const {
  return std::any_of(clients_.begin(), clients_.end(), [&](const auto& row) {
    return row.second.connected && row.second.reader == reader;
  });
}

reader_directory::client_row* reader_directory::nearest_client(const agent_place& place) {
  nearest<client_row*> best{place};
  for (auto& [id, row] : clients_)
    if (row.connected)
      best.offer(&row, row.place);
  return best.found().value_or(nullptr);
}

reader_directory::conversation_row* reader_directory::nearest_conversation(const agent_place& place,
                                                                           conversation_key& key) {
  nearest<conversation_key> best{place};
  for (const auto& [name, row] : conversations_)
    if (!row.superseded && !has_client(name))
      best.offer(name, row.place);
  const auto found = best.found();
  if (!found)
    return nullptr;
  key = *found;
  return &conversations_.at(key);
}

reader_id reader_directory::departed_reader(const agent_place& place) const {
  nearest<reader_id> best{place};
  for (const auto& [id, row] : clients_)
    if (!row.connected && !row.belongs && row.reader != 0 && !is_connected(row.reader))
      best.offer(row.reader, row.place);
  return best.found().value_or(0);
}

void reader_directory::client_came(client_id client, agent_place place, mono_time now) {
  client_row row;
  if (conversation_key key; auto* conversation = nearest_conversation(place, key)) {
    row.reader = conversation->reader;
    row.belongs = key;
  } else if (row.reader = departed_reader(place); row.reader != 0) {
    std::erase_if(clients_, [&](const auto& old) { return old.second.reader == row.reader; });
  }
  if (row.reader != 0)
    readers_[row.reader] = now;
  row.started_in = place.directory;
  row.place = std::move(place);
  clients_[client] = std::move(row);
}

reader_id reader_directory::client_left(client_id client, mono_time now) {
  const auto found = clients_.find(client);
  if (found == clients_.end())
    return 0;
  auto& row = found->second;
  row.connected = false;
  const auto reader = row.reader;
  const bool may_return = !row.place.processes.empty() && reader != 0 && !row.shared;
  if (may_return)
    readers_[reader] = now;
  const bool is_kept_elsewhere = row.belongs.has_value();
  if (!may_return || is_kept_elsewhere)
    clients_.erase(found);
  if (may_return || is_kept_elsewhere)
    return 0;
  readers_.erase(reader);
  return reader;
}

reader_id reader_directory::reader_of(client_id client, mono_time now) {
  auto& row = clients_[client];
  if (row.reader == 0)
    row.reader = new_reader(now);
  readers_[row.reader] = now;
  return row.reader;
}

reader_directory::client_row* reader_directory::client_that_said(const std::string& conversation) {
  for (auto& [id, row] : clients_)
    if (row.connected && !conversation.empty() && row.said == conversation)
      return &row;
  return nullptr;
}

reader_directory::heard
reader_directory::client_spoke(client_id client, const std::string& conversation, mono_time now) {
  constexpr std::size_t longest_id = 128;
  const auto found = clients_.find(client);
  if (found == clients_.end() || conversation.empty() || conversation.size() > longest_id)
    return {};
  auto& spoken = found->second;
  spoken.said = conversation;
  const auto known =
      std::find_if(conversations_.begin(), conversations_.end(),
                   [&](const auto& row) { return row.first.second == conversation; });
  if (known == conversations_.end() || spoken.belongs == known->first)
    return {};
  // What an unknown conversation was shown here was shown to this one.
  const auto own = spoken.belongs || spoken.shared ? 0 : spoken.reader;
  auto& row = known->second;
  if (row.reader == 0)
    row.reader = own != 0 ? own : new_reader(now);
  readers_[row.reader] = now;
  spoken.belongs = known->first;
  spoken.shared = false;
  spoken.reader = row.reader;
  if (own == 0 || own == row.reader)
    return {row.reader, 0};
  readers_.erase(own);
  return {row.reader, own};
}

reader_directory::heard reader_directory::hook_asked(const hook_question& question, mono_time now) {
  const conversation_key key{question.agent, question.conversation};
  auto& row = conversations_[key];
  row.place = question.place;
  row.heard = now;
  row.superseded = false;
  heard out;
  auto* client = client_that_said(question.conversation);
  if (!client)
    client = nearest_client(question.place);
  // A client that names its conversations belongs to no other.
  const bool names_another =
      client && !client->said.empty() && client->said != question.conversation;
  if (client && !has_client(key) && !names_another)
    out = join(*client, key, row, question.begins, now);
  if (row.reader == 0)
    row.reader = new_reader(now);
  readers_[row.reader] = now;
  out.reader = row.reader;
  return out;
}

reader_directory::heard reader_directory::join(client_row& client, const conversation_key& key,
                                               conversation_row& row, bool begins, mono_time now) {
  if (client.shared)
    return {};
  if (client.belongs && !begins) { // two conversations take turns at this client
    client.belongs.reset();
    client.shared = true;
    client.reader = 0;
    return {};
  }
  if (client.belongs) {
    if (const auto before = conversations_.find(*client.belongs); before != conversations_.end())
      before->second.superseded = true;
    client.reader = 0;
  }
  client.belongs = key;
  if (row.reader == 0)
    row.reader = client.reader != 0 ? client.reader : new_reader(now);
  const auto same = std::exchange(client.reader, row.reader);
  if (same == 0 || same == row.reader)
    return {};
  readers_.erase(same);
  return {0, same};
}

void reader_directory::client_works_in(client_id client, std::vector<std::string> roots) {
  const auto found = clients_.find(client);
  if (found == clients_.end())
    return;
  auto& row = found->second;
  // An editor starts its programs wherever it likes; below a root the process says more.
  const bool is_at_home = roots.empty() || std::any_of(roots.begin(), roots.end(), [&](auto& root) {
                            return !row.started_in.empty() && is_inside(row.started_in, root);
                          });
  row.place.directory = is_at_home ? row.started_in : roots.front();
  row.roots = std::move(roots);
}

bool reader_directory::has_process(client_id client) const {
  const auto found = clients_.find(client);
  return found != clients_.end() && !found->second.place.processes.empty();
}

std::vector<std::string> reader_directory::directories_of(client_id client) const {
  const auto found = clients_.find(client);
  if (found == clients_.end())
    return {};
  const auto& row = found->second;
  auto out = row.roots;
  const auto conversation = row.belongs ? conversations_.find(*row.belongs) : conversations_.end();
  if (conversation != conversations_.end() && !conversation->second.place.directory.empty())
    out.insert(out.begin(), conversation->second.place.directory);
  else if (!row.place.directory.empty())
    out.insert(out.begin(), row.place.directory);
  return out;
}

std::vector<std::string> reader_directory::directories_of(reader_id reader,
                                                          const std::string& directory) const {
  std::vector<std::string> out;
  if (!directory.empty())
    out.push_back(directory);
  for (const auto& [id, row] : clients_)
    if (row.connected && row.reader == reader)
      out.insert(out.end(), row.roots.begin(), row.roots.end());
  return out;
}

std::vector<reader_directory::entry> reader_directory::entries() const {
  std::map<reader_id, entry> rows;
  for (const auto& [key, c] : conversations_)
    rows[c.reader] = {c.reader, key.first, key.second, {}, c.place.directory, {}, c.heard};
  for (const auto& [id, c] : clients_) {
    if (c.reader == 0)
      continue;
    auto& row = rows[c.reader];
    row.reader = c.reader;
    if (row.directory.empty())
      row.directory = c.place.directory;
    if (!c.connected)
      continue;
    row.clients.push_back(id);
    row.roots.insert(row.roots.end(), c.roots.begin(), c.roots.end());
  }
  std::vector<entry> out;
  out.reserve(rows.size());
  for (auto& [reader, row] : rows)
    out.push_back(std::move(row));
  return out;
}

std::optional<reader_directory::entry> reader_directory::find(reader_id reader) const {
  for (auto& row : entries())
    if (row.reader == reader)
      return row;
  return std::nullopt;
}

void reader_directory::forget(reader_id reader) {
  readers_.erase(reader);
  std::erase_if(clients_, [&](const auto& row) {
    return !row.second.connected && row.second.reader == reader;
  });
  std::erase_if(conversations_, [&](const auto& row) { return row.second.reader == reader; });
}

std::vector<reader_id> reader_directory::take_expired(mono_time now) {
  std::unordered_set<reader_id> connected;
  for (const auto& [id, row] : clients_)
    if (row.connected)
      connected.insert(row.reader);
  std::vector<std::pair<mono_time, reader_id>> silent;
  for (const auto& [reader, seen] : readers_)
    if (connected.count(reader) == 0)
      silent.emplace_back(seen, reader);
  std::sort(silent.begin(), silent.end());
  std::vector<reader_id> out;
  std::size_t left = silent.size();
  for (const auto& [seen, reader] : silent) {
    if (now - seen < idle_ && left <= most_)
      break;
    out.push_back(reader);
    --left;
  }
  for (const auto reader : out)
    forget(reader);
  return out;
}

} // namespace gasoline
