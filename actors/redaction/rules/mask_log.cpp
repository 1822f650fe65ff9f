#include "actors/redaction/rules/mask_log.hpp"

namespace gasoline::redaction {

std::string mask_log::set(std::string_view rule, std::string_view usual) {
  constexpr std::string_view kind_begin = "[REDACTED:";
  const bool kind = usual.starts_with(kind_begin);
  if (kind)
    rule = usual.substr(kind_begin.size(), usual.size() - kind_begin.size() - 1);
  if (const auto known = counts_.find(rule); known != counts_.end())
    ++known->second;
  else
    counts_.emplace(rule, 1U);
  if (kind || style_ == mask_style::usual)
    return std::string{usual};
  return std::string{kind_begin}.append(rule) + "]";
}

void mask_log::add(const mask_log& other) {
  for (const auto& [rule, count] : other.counts_)
    counts_[rule] += count;
  escapes_ += other.escapes_;
}

} // namespace gasoline::redaction
