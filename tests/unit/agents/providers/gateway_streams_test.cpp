// Streams as gateways send them (tests/gateway_streams), cut everywhere: what is meant comes out.
#include "actors/agents/providers/openai_answer.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace gasoline;
using nlohmann::json;

namespace {

const std::string stream_directory = std::string{GASOLINE_TEST_DATA} + "/gateway_streams/";

std::string text_of_stream(const std::string& name) {
  std::ifstream file{stream_directory + name, std::ios::binary};
  REQUIRE_MESSAGE(file.good(), name);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

/// What a reader has in the end, in the form of `expected.json`.
class reader_of_chunks {
 public:
  void take(const std::vector<provider_chunk>& chunks) {
    for (const auto& c : chunks)
      take(c);
  }

  json result() const {
    auto out = result_;
    for (const auto& [block, tool] : tools_)
      out["tools"].push_back({tool.name, json::parse(tool.input.empty() ? "{}" : tool.input)});
    return out;
  }

 private:
  struct tool {
    std::string name;
    std::string input;
  };

  void take(const provider_chunk& c) {
    switch (c.kind) {
    case chunk_kind::text:
      add("text", c.text);
      break;
    case chunk_kind::thinking:
      add("thinking", c.text);
      break;
    case chunk_kind::tool_use_start:
      CHECK(ids_.insert(c.tool_use_id).second);
      tools_[c.block_index].name = c.tool_name;
      break;
    case chunk_kind::tool_use_input:
      tools_.at(c.block_index).input += c.text;
      break;
    case chunk_kind::finished:
      take_usage(c.usage);
      break;
    case chunk_kind::failed:
      result_["failed"] = c.failure.error_class;
      result_["message"] = c.failure.message;
      break;
    default:
      break;
    }
  }

  void take_usage(const token_usage& usage) {
    if (usage.input + usage.output > 0)
      result_["usage"] = {usage.input, usage.output};
    if (usage.cache_read > 0)
      result_["cached"] = usage.cache_read;
    if (usage.cost_usd)
      result_["cost"] = *usage.cost_usd;
  }

  void add(const char* key, const std::string& text) {
    result_[key] = result_.value(key, std::string{}) + text;
  }

  json result_ = json::object();
  std::map<std::uint64_t, tool> tools_;
  std::set<std::string> ids_;
};

json read_in(const std::vector<std::string_view>& pieces) {
  openai_answer answer{limits{}, {"list_files", "read_file"}};
  reader_of_chunks reader;
  for (const auto piece : pieces)
    reader.take(answer.feed(piece));
  reader.take(answer.end());
  return reader.result();
}

constexpr std::size_t distance_of_cuts = 37;

std::vector<std::string_view> pieces_of(std::string_view whole, std::size_t first_cut,
                                        std::size_t distance) {
  std::vector<std::string_view> out{whole.substr(0, first_cut)};
  for (auto at = first_cut; at < whole.size(); at += distance)
    out.push_back(whole.substr(at, distance));
  return out;
}

} // namespace

TEST_CASE("streams of gateways, cut at every byte") {
  const auto expected = json::parse(text_of_stream("expected.json"));
  REQUIRE(expected.size() >= 10);
  for (const auto& one : expected.items()) {
    const auto& name = one.key(); // no binding: those cannot be captured
    CAPTURE(name);
    const auto stream = text_of_stream(name + ".sse");
    const std::string_view whole{stream};
    auto wanted = one.value();
    const auto first = read_in({whole});
    if (wanted.contains("message")) {
      const auto part = wanted["message"].get<std::string>();
      CHECK(first.value("message", std::string{}).find(part) != std::string::npos);
      wanted["message"] = first.value("message", json());
    }
    CHECK(first == wanted);
    // Each position is a cut in one of these rounds, together with others far away.
    for (std::size_t first_cut = 1; first_cut <= distance_of_cuts; ++first_cut)
      if (const auto cut = read_in(pieces_of(whole, first_cut, distance_of_cuts)); cut != first)
        FAIL_CHECK("cut at " << first_cut << " and so on: " << cut.dump());
    CHECK(read_in(pieces_of(whole, 1, 1)) == first);
  }
}
