#include "actors/mcp_tools/analyze/modes/flaky_analysis.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// What sometimes fails and sometimes does not.
struct wavering {
  std::string words;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t turns = 0; ///< from one to the other; one turn alone is a fault or its end
  bool failed_last = false;

  void add(bool fails, std::uint64_t times) {
    const bool any = passed + failed > 0;
    turns += any && fails != failed_last ? 1 : 0;
    failed_last = fails;
    (fails ? failed : passed) += times;
  }
};

using wavering_table = std::map<std::string, wavering>;

/// Those that turned more than once, the ones that turned most first.
std::vector<wavering> flaky_of(const wavering_table& table) {
  constexpr std::uint64_t least_turns = 2;
  std::vector<wavering> out;
  for (const auto& [words, row] : table)
    if (row.turns >= least_turns)
      out.push_back(row);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& x, const auto& y) { return x.turns > y.turns; });
  return out;
}

wavering_table requests_in(event_span events) {
  wavering_table out;
  std::vector<wavering*> rows; // by endpoint
  request_wording wording;
  for (const auto* told : events) {
    const auto& e = *told;
    if (e.status < 0 || !is_request(e))
      continue;
    const auto& asked = wording.numbered(e);
    if (asked.endpoint >= rows.size())
      rows.resize(asked.endpoint + 1);
    auto& row = rows[asked.endpoint];
    if (row == nullptr) {
      row = &out[std::string{asked.words}];
      row->words = asked.words;
    }
    row->add(is_failed_exchange(e), told->count);
  }
  return out;
}

/// The run that a result belongs to, whatever its commit.
std::string run_words(const ci_result& r) {
  return r.source.str() + ' ' + r.ref.str() + (r.job.empty() ? "" : ' ' + r.job.str());
}

/// Tests of runs that came several times: a run that failed without them says that they passed.
wavering_table tests_in(event_span events) {
  std::map<std::string, std::set<std::string>> known; // tests that ever failed, by run
  for (const auto* told : events)
    if (const auto& r = told->ci)
      for (const auto& f : r->failures)
        known[run_words(*r)].insert(f.name.str());
  wavering_table out;
  for (const auto* told : events) {
    const auto& r = told->ci;
    if (!r || (r->status != ci_status::success && r->failures.empty()))
      continue;
    std::set<std::string> failed;
    for (const auto& f : r->failures)
      failed.insert(f.name.str());
    if (r->failure_count > r->failures.size()) // more than are named: nothing says who passed
      continue;
    const auto run = run_words(*r);
    for (const auto& test : known[run]) {
      auto& row = out[run + "\n" + test];
      row.words = test + " (" + run + ")";
      row.add(failed.count(test) > 0, 1);
    }
  }
  return out;
}

std::string wavering_item(const wavering& w) {
  std::string out;
  json_object_writer item{out};
  item.text("what", w.words).number("failed", w.failed).number("passed", w.passed);
  item.number("turns", w.turns).text("last", w.failed_last ? "failed" : "passed");
  item.close();
  return out;
}

std::string flaky_answer(const analysis_input& input) {
  const auto tests = flaky_of(tests_in(input.events));
  const auto requests = flaky_of(requests_in(input.events));
  const auto where = input.since ? " since " + input.since->words : std::string{};
  analysis_answer out{input.call};
  if (tests.empty() && requests.empty())
    return out.finish("Nothing was flaky" + where +
                      ": no test and no endpoint that failed, passed and failed again." +
                      input.remark);
  out.list("tests", tests.size(), [&](std::size_t i) { return wavering_item(tests[i]); });
  out.list("requests", requests.size(), [&](std::size_t i) { return wavering_item(requests[i]); });
  return out.finish(counted_words(tests.size(), "test", "tests") + " and " +
                    counted_words(requests.size(), "endpoint", "endpoints") +
                    " that fail now and then" + where + "; turns: how often one became the other." +
                    input.remark + ' ' + std::string{outside_text_label});
}

} // namespace

analysis flaky_analysis() {
  return {"flaky", "tests and endpoints that fail now and then", usual_beginning::everything,
          flaky_answer};
}

} // namespace gasoline
