#include "actors/mcp_tools/analyze/faults/diff_verdict.hpp"

#include "actors/base/counted_words.hpp"

#include <algorithm>

namespace gasoline {
namespace {

std::string faults_text(std::size_t n) {
  return counted_words(n, "fault", "faults");
}

} // namespace

std::size_t faults_of(const std::vector<judged_fault>& faults, fault_fate fate) {
  return static_cast<std::size_t>(std::count_if(
      faults.begin(), faults.end(), [&](const judged_fault& f) { return f.fate == fate; }));
}

std::string diff_verdict(const std::vector<judged_fault>& faults, const std::string& since) {
  const auto still = faults_of(faults, fault_fate::still);
  const auto fresh = faults_of(faults, fault_fate::fresh);
  const auto unproved = faults_of(faults, fault_fate::unproved);
  const auto fixed = faults_of(faults, fault_fate::fixed);
  if (faults.empty())
    return "Nothing was wrong before " + since + ", and nothing is since.";
  std::string out;
  if (still > 0)
    out = "Not fixed: " + faults_text(still) + " still there since " + since;
  else if (fresh > 0)
    out = "New since " + since + ": " + faults_text(fresh) + " not seen before";
  else if (unproved > 0)
    out = "Not proved: " + faults_text(unproved) + " not seen since " + since +
          ", but nothing shows that what brought them about was tried again";
  else
    out = "Fixed: " + faults_text(fixed) + " not seen since " + since +
          ", each tried again without it";
  if (still > 0 && fresh > 0)
    out += ", " + std::to_string(fresh) + " new";
  if ((still > 0 || fresh > 0) && unproved > 0)
    out += ", " + std::to_string(unproved) + " not tried again";
  if ((still > 0 || fresh > 0 || unproved > 0) && fixed > 0)
    out += ", " + std::to_string(fixed) + " fixed";
  return out + '.';
}

} // namespace gasoline
