#include "actors/redaction/redaction_engine.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using gasoline::redaction_engine;
using gasoline::redaction_rule;

std::string masked(const std::vector<redaction_rule>& rules, std::string_view text) {
  return redaction_engine{rules, gasoline::limits{}}.text(text).str();
}

} // namespace

TEST_CASE("a user rule is found by the literal that its matches contain") {
  const std::vector<redaction_rule> rules{{"ticket", "TCK-[0-9]{6}"}, {"badge", "badge\\.x"}};
  CHECK(masked(rules, "see TCK-123456 now") == "see [REDACTED:ticket] now");
  CHECK(masked(rules, "TCK-12345") == "TCK-12345");
  CHECK(masked(rules, "a badge.x and badge-x") == "a [REDACTED:badge] and badge-x");
}

TEST_CASE("user rules of every shape match, with a literal or without") {
  CHECK(masked({{"n", "[0-9]{7}"}}, "id 1234567") == "id [REDACTED:n]");
  CHECK(masked({{"n", "[0-9]{7}"}, {"t", "ticket-x"}}, "id 1234567") == "id [REDACTED:n]");
  CHECK(masked({{"t", "(?i)ticket-[a-z]+"}}, "TICKET-Ab") == "[REDACTED:t]");
  CHECK(masked({{"t", "alpha-[0-9]|[0-9]-omega"}}, "7-omega") == "[REDACTED:t]");
  CHECK(masked({{"t", "ab[[]c\\\\d"}}, "x ab[c\\d y") == "x [REDACTED:t] y");
  CHECK(masked({{"t", "köln-[0-9]"}}, "in köln-4") == "in [REDACTED:t]");
  CHECK(masked({{"t", "(?i)ticket-9"}}, "tic\u212Aet-9") == "[REDACTED:t]");
  CHECK(masked({{"t", "qq"}}, "a qq b") == "a [REDACTED:t] b");
  const std::string spelled = "internal-project-name-that-is-longer-than-any-literal-kept";
  CHECK(masked({{"t", spelled + "-[0-9]"}}, spelled + "-5") == "[REDACTED:t]");
}
