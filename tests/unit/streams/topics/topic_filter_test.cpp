#include "actors/streams/topics/topic_filter.hpp"
#include "actors/streams/topics/topic_index.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;

namespace {

const limits standard;

bool lets_pass(std::string_view filter, std::string_view topic) {
  const auto parsed = topic_filter::parse(filter, standard);
  REQUIRE_MESSAGE(parsed.has_value(), filter);
  return parsed->matches(topic);
}

std::string refusal(std::string_view filter) {
  const auto parsed = topic_filter::parse(filter, standard);
  return parsed ? std::string{} : parsed.error().message;
}

std::vector<std::uint64_t> found_in(const topic_index& index, std::string_view topic) {
  std::vector<std::uint64_t> out;
  index.find(topic, [&](std::uint64_t key) { out.push_back(key); });
  std::sort(out.begin(), out.end());
  return out;
}

/// A topic or filter out of few tokens, so that random ones meet.
rc::Gen<std::string> random_tokens(std::vector<std::string> tokens, bool may_end_in_rest) {
  const auto token = rc::gen::elementOf(tokens);
  return rc::gen::map(rc::gen::pair(rc::gen::nonEmpty(rc::gen::resize(
                                        4, rc::gen::container<std::vector<std::string>>(token))),
                                    rc::gen::arbitrary<bool>()),
                      [may_end_in_rest](const auto& drawn) {
                        std::string out;
                        for (const auto& t : drawn.first)
                          out += (out.empty() ? "" : ".") + t;
                        return may_end_in_rest && drawn.second ? out + ".>" : out;
                      });
}

} // namespace

TEST_CASE("filters match as in NATS, and * alone matches all") {
  CHECK(lets_pass("orders.created", "orders.created"));
  CHECK_FALSE(lets_pass("orders.created", "orders.created.eu"));
  CHECK_FALSE(lets_pass("orders.created", "orders"));
  CHECK(lets_pass("*", "orders.created.eu"));
  CHECK(lets_pass("", "orders"));
  CHECK(lets_pass(">", "orders.created"));
  CHECK(lets_pass("orders.*", "orders.created"));
  CHECK_FALSE(lets_pass("orders.*", "orders"));
  CHECK_FALSE(lets_pass("orders.*", "orders.created.eu"));
  CHECK(lets_pass("*.created", "orders.created"));
  CHECK(lets_pass("orders.>", "orders.created.eu"));
  CHECK_FALSE(lets_pass("orders.>", "orders"));
  CHECK_FALSE(lets_pass("orders.>", "invoices.created"));
  CHECK(lets_pass("*.*", "a.b"));
  CHECK_FALSE(lets_pass("*.*", "a"));
}

TEST_CASE("an event without a topic passes every filter") {
  for (const auto* filter : {"*", "orders.created", "orders.*", "a.>"})
    CHECK(lets_pass(filter, ""));
}

TEST_CASE("malformed filters are refused with the reason") {
  for (const auto* filter : {"orders..x", ".orders", "orders.", "a b", "a\nb", "a.\r\n", "a.>.b",
                             "ord*", ">a", "a.b*", "**", "a.>>", "\x7f", "\t"})
    CHECK_MESSAGE(!refusal(filter).empty(), filter);
  CHECK(refusal("orders.>.x").find("only at the end") != std::string::npos);
  CHECK(refusal(std::string(300, 'a')).find("at most 256 bytes") != std::string::npos);
  std::string deep = "a";
  for (int i = 0; i < 40; ++i)
    deep += ".a";
  CHECK(refusal(deep).find("tokens") != std::string::npos);
  CHECK(refusal(std::string{"a\0b", 3}).find("control") != std::string::npos);
}

TEST_CASE("topics are tokens without wildcards") {
  CHECK_FALSE(topic_problem("orders.created", standard));
  CHECK_FALSE(topic_problem("größe.ü", standard));
  for (const auto* topic : {"orders.*", ">", "a b", "a..b", ".", "_", "a\n"})
    CHECK_MESSAGE(topic_problem(topic, standard), topic);
}

TEST_CASE("the index finds exactly the filters that match") {
  const bool holds = rc::check([] {
    const auto filters = *rc::gen::resize(40, rc::gen::container<std::vector<std::string>>(
                                                  random_tokens({"a", "b", "c", "*"}, true)));
    const auto topics = *rc::gen::resize(10, rc::gen::container<std::vector<std::string>>(
                                                 random_tokens({"a", "b", "c", "d"}, false)));
    const auto removed =
        *rc::gen::container<std::vector<bool>>(filters.size(), rc::gen::arbitrary<bool>());
    topic_index index;
    std::vector<topic_filter> parsed;
    for (const auto& text : filters) {
      parsed.push_back(*topic_filter::parse(text, standard));
      index.add(parsed.back(), parsed.size());
    }
    for (std::size_t i = 0; i < filters.size(); ++i)
      if (removed[i])
        index.remove(parsed[i], i + 1);
    for (const auto& topic : topics) {
      std::vector<std::uint64_t> wanted;
      for (std::size_t i = 0; i < filters.size(); ++i)
        if (!removed[i] && parsed[i].matches(topic))
          wanted.push_back(i + 1);
      RC_ASSERT(found_in(index, topic) == wanted);
    }
  });
  CHECK(holds);
}

TEST_CASE("an index is empty once all is removed, and the empty topic finds all") {
  topic_index index;
  const auto exact = *topic_filter::parse("a.b", standard);
  const auto rest = *topic_filter::parse("a.>", standard);
  index.add(exact, 1);
  index.add(rest, 2);
  index.add(topic_filter{}, 3);
  CHECK(found_in(index, "") == std::vector<std::uint64_t>{1, 2, 3});
  index.remove(exact, 1);
  index.remove(rest, 2);
  index.remove(topic_filter{}, 3);
  CHECK(index.empty());
  CHECK(found_in(index, "").empty());
}

TEST_CASE("finding costs the same with 10,000 filters as with 10") {
  using clock = std::chrono::steady_clock;
  const auto cost = [](int filters) {
    topic_index index;
    for (int i = 0; i < filters; ++i) {
      const auto n = std::to_string(i);
      index.add(*topic_filter::parse(i % 2 == 0 ? "shop" + n + ".*" : "shop" + n + ".>", standard),
                static_cast<std::uint64_t>(i) + 1);
    }
    std::uint64_t found = 0;
    auto best = clock::duration::max();
    for (int round = 0; round < 20; ++round) {
      const auto begun = clock::now();
      for (int i = 0; i < 500; ++i)
        index.find("shop7.created", [&](std::uint64_t) { ++found; });
      best = std::min(best, clock::now() - begun);
    }
    CHECK(found == 20 * 500);
    return best;
  };
  // A scan would take a thousand times as long.
  CHECK(cost(10'000) < 20 * cost(10));
}
