#include "actors/noise/repeat_table.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/fault_key.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t neighbours = 4;
constexpr std::size_t hashed_bytes = 96; // of a message; longer ones that begin alike count as one
constexpr std::size_t stem_letters = 3;  // `item42` is told from `user42`, `a1f0` not from `b2e9`

class fnv_hash {
 public:
  void take(char c) {
    value_ ^= static_cast<unsigned char>(c);
    value_ *= 1099511628211ULL;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

enum class char_kind : std::uint8_t { other, letter, digit };

constexpr std::array<char_kind, 256> char_kinds = [] {
  std::array<char_kind, 256> out{};
  for (std::size_t c = 0; c < out.size(); ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    if (letter || c >= 0x80)
      out[c] = char_kind::letter;
    else if (c >= '0' && c <= '9')
      out[c] = char_kind::digit;
  }
  return out;
}();

// Words with digits count as their first letters, or as nothing but a word.
std::uint64_t shape_hash(std::string_view line) {
  fnv_hash hash;
  fnv_hash before_word;
  std::size_t letters = 0;
  bool numbered = false;
  for (const char c : line.substr(0, hashed_bytes)) {
    switch (char_kinds[static_cast<unsigned char>(c)]) {
    case char_kind::letter:
      if (numbered)
        break;
      hash.take(c);
      ++letters;
      break;
    case char_kind::digit:
      if (numbered)
        break;
      numbered = true;
      if (letters < stem_letters)
        hash = before_word;
      hash.take('\0');
      break;
    case char_kind::other:
      hash.take(c);
      before_word = hash;
      letters = 0;
      numbered = false;
      break;
    }
  }
  return std::max<std::uint64_t>(hash.value(), 1);
}

std::uint64_t text_hash(std::string_view text) {
  fnv_hash hash;
  hash.take('\1');
  for (const char c : text)
    hash.take(c);
  return std::max<std::uint64_t>(hash.value(), 1);
}

bool is_infrastructure(std::string_view path) {
  constexpr std::array<std::string_view, 8> names{"health", "healthz", "healthcheck", "ping",
                                                  "ready",  "readyz",  "live",        "livez"};
  if (path.substr(0, 3) == "/__")
    return true;
  const auto name = path.substr(std::min(path.rfind('/') + 1, path.size()));
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_network_entry(const event& e) {
  return e.kind == telemetry_kind::body || e.kind == telemetry_kind::request;
}

bool is_counted_message(const event& e) {
  return e.kind == telemetry_kind::log && e.type == entry_type::console &&
         e.level < log_level::error && !e.message.empty();
}

std::string_view next_placeholder(std::string_view text, std::size_t& at) {
  constexpr std::array<std::string_view, 3> placeholders{"<n>", "<id>", "<value>"};
  std::string_view found;
  at = std::string_view::npos;
  for (const auto p : placeholders)
    if (const auto i = text.find(p); i < at) {
      at = i;
      found = p;
    }
  return found;
}

std::string_view expression_for(std::string_view placeholder) {
  if (placeholder == "<n>")
    return R"(-?[0-9][0-9A-Za-z_$\x{80}-\x{10FFFF}.:,/-]*)";
  return placeholder == "<id>" ? R"([0-9A-Za-z_$\x{80}-\x{10FFFF}-]+)" : ".*?";
}

// A sample that was cut, and perhaps within a placeholder, stands for all that begins like it.
std::string_view without_cut_end(std::string_view sample, bool& was_cut) {
  constexpr std::string_view mark = "…";
  was_cut = sample.size() >= mark.size() && sample.substr(sample.size() - mark.size()) == mark;
  if (!was_cut)
    return sample;
  sample.remove_suffix(mark.size());
  const auto open = sample.rfind('<');
  if (open != std::string_view::npos && sample.find('>', open) == std::string_view::npos)
    return sample.substr(0, open);
  return sample;
}

std::string message_pattern(std::string_view sample) {
  bool was_cut = false;
  sample = without_cut_end(sample, was_cut);
  std::string out = "^";
  std::size_t at = 0;
  for (auto p = next_placeholder(sample, at); !p.empty(); p = next_placeholder(sample, at)) {
    out += re2::RE2::QuoteMeta(std::string{sample.substr(0, at)});
    out += expression_for(p);
    sample.remove_prefix(at + p.size());
  }
  out += re2::RE2::QuoteMeta(std::string{sample});
  return was_cut ? out : out + R"((?:$|[\r\n]))";
}

std::string url_pattern(std::string_view address) {
  return "^" + re2::RE2::QuoteMeta(std::string{address}) + "(?:[?#]|$)";
}

} // namespace

repeat_table::repeat_table(const limits_of<alert_room, noise_room>& limit)
    : threshold_(limit.noise.repeat_threshold),
      sample_bytes_(limit.alert.key_bytes),
      slots_(std::max<std::uint64_t>(1, limit.noise.repeat_entries)) {}

void repeat_table::add(const event& e) {
  const std::uint64_t count = std::max<std::uint32_t>(e.count, 1);
  if (is_counted_message(e) && !is_uncaught(e)) {
    auto& s = counted(shape_hash(first_line(e.message.view())), noise_field::message, count);
    if (s.count > 1 && s.sample.empty())
      s.sample = normalised_line(e.message, sample_bytes_);
    return;
  }
  if (!is_network_entry(e) || e.status == 0 || e.status >= 500)
    return;
  const auto pieces = take_apart(e.url.view());
  if (!is_infrastructure(pieces.path))
    return;
  const auto address = e.url.view().substr(0, e.url.size() - pieces.rest.size());
  auto& s = counted(text_hash(address), noise_field::url, count);
  if (s.count > 1 && s.sample.empty())
    s.sample = part_of(e.url, address);
}

repeat_table::slot& repeat_table::slot_for(std::uint64_t hash) {
  const auto width = std::min(neighbours, slots_.size());
  const auto first = static_cast<std::size_t>(hash % (slots_.size() / width)) * width;
  auto* rarest = &slots_[first];
  for (std::size_t i = first; i < first + width; ++i) {
    if (slots_[i].hash == hash)
      return slots_[i];
    if (slots_[i].count < rarest->count)
      rarest = &slots_[i];
  }
  return *rarest;
}

repeat_table::slot& repeat_table::counted(std::uint64_t hash, noise_field field,
                                          std::uint64_t count) {
  auto& s = slot_for(hash);
  if (s.hash != hash) {
    s.hash = hash;
    s.count = 0;
    s.field = field;
    s.sample = {};
  }
  s.count += count;
  return s;
}

std::vector<rule_proposal> repeat_table::take_proposals() {
  std::map<std::pair<noise_field, std::string>, rule_proposal> by_sample;
  for (const auto& s : slots_) {
    if (s.sample.empty())
      continue;
    auto& p = by_sample[{s.field, s.sample.str()}];
    p.field = s.field;
    p.sample = s.sample;
    p.count += s.count;
  }
  std::vector<rule_proposal> out;
  for (auto& [key, p] : by_sample) {
    if (p.count < threshold_)
      continue;
    p.pattern = p.field == noise_field::message ? message_pattern(p.sample.view())
                                                : url_pattern(p.sample.view());
    out.push_back(std::move(p));
  }
  std::stable_sort(out.begin(), out.end(), [](const rule_proposal& a, const rule_proposal& b) {
    return a.count > b.count;
  });
  for (auto& s : slots_)
    if (const auto known = by_sample.find({s.field, s.sample.str()});
        known != by_sample.end() && known->second.count >= threshold_)
      s = {};
  return out;
}

} // namespace gasoline
