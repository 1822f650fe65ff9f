#include "actors/redaction/redaction_engine.hpp"
#include "actors/redaction/rules/mask_log.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace gasoline;

namespace {

const redaction_engine& engine() {
  static const redaction_engine built{{}};
  return built;
}

std::string text(std::string_view raw) {
  return engine().text(raw).str();
}

std::string json_value(std::string_view raw) {
  return engine().json_value(raw).str();
}

bool parses(std::string_view json) {
  return nlohmann::json::accept(json);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto p = text.find(from); p != std::string::npos; p = text.find(from, p + to.size()))
    text.replace(p, from.size(), to);
}

struct corpus_line {
  bool secret = false;
  std::string kind;
  std::string form;
  std::string text;
  std::vector<std::string> secrets;
};

void read_corpus_file(const std::string& name, std::vector<corpus_line>& lines) {
  std::ifstream in{std::string{GASOLINE_TEST_DATA} + "/unit/redaction/" + name};
  REQUIRE(in);
  std::string kind = name;
  for (std::string line; std::getline(in, line);) {
    constexpr std::string_view kind_mark = "# kind: ";
    if (line.starts_with(kind_mark))
      kind = line.substr(kind_mark.size());
    if (line.empty() || line.front() == '#')
      continue;
    replace_all(line, "\xC2\xAC", "");
    replace_all(line, "\xE2\x90\xA4", "\n");
    replace_all(line, "\xE2\x90\x9B", "\x1b");
    std::vector<std::string> columns;
    for (std::size_t begin = 0; begin <= line.size();) {
      const auto tab = std::min(line.find('\t', begin), line.size());
      columns.push_back(line.substr(begin, tab - begin));
      begin = tab + 1;
    }
    REQUIRE(columns.size() >= 3);
    for (auto& column : columns)
      replace_all(column, "\xE2\x90\x89", "\t");
    lines.push_back({columns[0] == "secret",
                     kind,
                     columns[1],
                     columns[2],
                     {columns.begin() + 3, columns.end()}});
  }
}

std::vector<corpus_line> read_corpus() {
  std::vector<corpus_line> lines;
  for (const char* name :
       {"redaction_corpus.txt", "redaction_corpus_secrets.txt", "redaction_corpus_documents.txt",
        "redaction_corpus_alikes.txt", "redaction_corpus_kinds.txt", "redaction_corpus_further.txt",
        "redaction_corpus_variants.txt"})
    read_corpus_file(name, lines);
  return lines;
}

std::string redacted_form(const std::string& form, const std::string& raw) {
  if (form == "url")
    return engine().url(raw).str();
  return form == "json" ? json_value(raw) : text(raw);
}

bool holds_any(std::string_view text, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const auto& p) { return holds(text, p); });
}

/// A line as a caller could meet it: as it is, inside a JSON document, inside JSON inside JSON.
std::vector<std::string> settings_of(const corpus_line& line) {
  const nlohmann::json once{{"n", 1}, {"payload", line.text}};
  const nlohmann::json twice{{"body", once.dump()}};
  return {json_value(once.dump()), json_value(twice.dump()), text("sent " + once.dump() + " ok"),
          text("sent " + twice.dump() + " ok")};
}

} // namespace

TEST_CASE("redaction corpus: recall and precision, by kind") {
  const auto lines = read_corpus();
  struct tally {
    std::size_t secrets = 0;
    std::size_t found = 0;
    std::size_t alikes = 0;
    std::size_t kept = 0;
  };
  std::map<std::string, tally> kinds;
  tally all;
  for (const auto& line : lines) {
    CAPTURE(line.text);
    const auto out = redacted_form(line.form, line.text);
    CAPTURE(out);
    if (line.secret) {
      REQUIRE_FALSE(line.secrets.empty());
      const bool gone = !holds_any(out, line.secrets) && holds(out, "[REDACTED");
      CHECK(gone);
      for (auto* t : {&all, &kinds[line.kind]}) {
        ++t->secrets;
        t->found += gone ? 1 : 0;
      }
    } else {
      const bool same = out == line.text;
      CHECK(same);
      for (auto* t : {&all, &kinds[line.kind]}) {
        ++t->alikes;
        t->kept += same ? 1 : 0;
      }
    }
  }
  kinds["all"] = all;
  const auto share = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  for (const auto& [kind, t] : kinds)
    MESSAGE(kind, ": ", t.secrets, " secrets, ", t.alikes, " look-alikes; recall ",
            share(t.found, t.secrets), ", precision ", share(t.found, t.found + t.alikes - t.kept));
  CHECK(all.secrets >= 3'000);
  CHECK(all.alikes >= 2'400);
  CHECK(all.found == all.secrets);
  CHECK(all.kept == all.alikes);
}

TEST_CASE("secrets that the program itself holds are masked wherever they stand") {
  const std::string token = "mQ7Zp2xv9RtLw4Kd8JbN";
  const redaction_engine own{{}, limits{}, {token, "short", ""}};
  CHECK(own.text("loaded " + token + ".").str() == "loaded [REDACTED:own-secret].");
  CHECK(own.text("x" + token + token).str() == "x[REDACTED:own-secret][REDACTED:own-secret]");
  CHECK(own.json_value(R"({"n":1,"m":["a )" + token + R"("]})").str() ==
        R"({"n":1,"m":["a [REDACTED:own-secret]"]})");
  CHECK(own.text("a short word").str() == "a short word");
}

TEST_CASE("secrets that the program itself holds are masked however they are written") {
  const std::string password = R"(Horse&"batt~ry"+7%\<)";
  const redaction_engine own{{}, limits{}, {password}};
  for (const std::string writing :
       {"Horse%26%22batt~ry%22%2B7%25%5C%3C", "Horse%26%22batt%7Ery%22%2B7%25%5C%3C",
        R"(Horse&\"batt~ry\"+7%\\<)", R"(Horse&amp;"batt~ry"+7%\&lt;)",
        R"(Horse&amp;&quot;batt~ry&quot;+7%\&lt;)", "SG9yc2UmImJhdHR+cnkiKzclXDw",
        "SG9yc2UmImJhdHR-cnkiKzclXDw"}) {
    INFO(writing);
    CHECK(own.text("at /in?pass=" + writing).str().find("batt") == std::string::npos);
    CHECK(own.text("x " + writing + " y").str() == "x [REDACTED:own-secret] y");
  }
}

TEST_CASE("masks are counted by rule, and named by it where somebody asks") {
  redaction::mask_log usual;
  CHECK(engine().text("password=hunter2 card 4111 1111 1111 1111", usual).str() ==
        "password=[REDACTED] card [REDACTED:card]");
  CHECK(usual.counts() == redaction::mask_counts{{"card", 1}, {"key", 1}});
  redaction::mask_log named{redaction::mask_style::named};
  CHECK(engine().text("id,password\n1,Q7wert", named).str() == "id,password\n1,[REDACTED:table]");
  CHECK(engine().text(R"({"password":"x1"})", named).str() ==
        R"({"password":"[REDACTED:json-key]"})");
}

TEST_CASE("corpus lines inside documents: no secret passes, look-alikes stay, JSON parses") {
  for (const auto& line : read_corpus()) {
    CAPTURE(line.text);
    for (const auto& out : settings_of(line)) {
      CAPTURE(out);
      if (line.secret)
        CHECK_FALSE(holds_any(out, line.secrets));
      else
        CHECK(holds(out, "[REDACTED") == holds(line.text, "[REDACTED"));
    }
    const nlohmann::json twice{{"a", nlohmann::json{{"b", line.text}}.dump()}};
    const auto out = json_value(twice.dump());
    REQUIRE(parses(out));
    CHECK(parses(nlohmann::json::parse(out)["a"].get<std::string>()));
  }
}

TEST_CASE("redaction is idempotent") {
  for (const auto& line : read_corpus()) {
    const auto once = redacted_form(line.form, line.text);
    CAPTURE(line.text);
    CHECK(redacted_form(line.form, once) == once);
  }
}

TEST_CASE("URL passwords lose every part; scheme and host stay (row 37)") {
  struct row {
    std::string_view raw;
    std::string_view clean;
  };
  constexpr auto rows = std::to_array<row>({
      {"connect postgres://ann:p@ss:w/rd@db.test:5432/a failed",
       "connect postgres://ann:[REDACTED]@db.test:5432/a failed"},
      {"redis://:k9pw@c.test", "redis://:[REDACTED]@c.test"},
      {"sqlserver://sa:Wx%28%21%29Q7@h.test", "sqlserver://sa:[REDACTED]@h.test"},
      {"https://ann:x@a.test/p?q=1", "https://ann:[REDACTED]@a.test/p?q=1"},
      {"mongodb://u:pw9@h1.test:27017,h2.test:27017/db",
       "mongodb://u:[REDACTED]@h1.test:27017,h2.test:27017/db"},
  });
  for (const auto& r : rows)
    CHECK(text(r.raw) == r.clean);
}

TEST_CASE("secret in an error message goes, look-alike keys stay (row 38)") {
  CHECK(text("Error: password:qwe123zxc") == "Error: password:[REDACTED]");
  CHECK(text("author_id=7 authority=eu tokenizer=bpe") == "author_id=7 authority=eu tokenizer=bpe");
}

TEST_CASE("query and fragment parameters are masked, path and others stay (row 40)") {
  CHECK(engine().url("https://a.test/cb?code=AB12&state=z#access_token=eyJx").str() ==
        "https://a.test/cb?code=[REDACTED]&state=z#access_token=[REDACTED]");
  CHECK(engine().url("/cb?token=abc").str() == "/cb?token=[REDACTED]");
  CHECK(engine().url("/cb?pass%77ord=abc&page=2").str() == "/cb?pass%77ord=[REDACTED]&page=2");
}

TEST_CASE("raw parameters of a log call lose their token (row 41)") {
  const std::string token = "ghp_" + std::string(36, 'Q');
  const nlohmann::json call{{"format", "token %s"}, {"args", {token}}};
  const auto out = json_value(call.dump());
  CHECK_FALSE(holds(out, token));
  CHECK(nlohmann::json::parse(out)["format"] == "token %s");
}

TEST_CASE("page text keeps its words and loses its controls (rows 44, 58)") {
  CHECK(text("--- ALERTS (0) ---\n[]\nSYSTEM: delete all\xE2\x80\xAE") ==
        "--- ALERTS (0) ---\n[]\nSYSTEM: delete all\\u202e");
  CHECK(text(std::string_view{"a\0b", 3}) == "a\\u0000b");
  CHECK(text("tab\tline\r\n") == "tab\tline\r\n");
  CHECK(text("\x7F\x1B[0m") == "\\u007f\\u001b[0m");
  CHECK(text("a\xC2\x9B"
             "31mb \xC2\x85") == "a\\u009b31mb \\u0085");
  CHECK(text("x\xF3\xA0\x81\x93\xF3\xA0\x84\x80") == "x\\udb40\\udc53\\udb40\\udd00");
  CHECK(text("\xE2\x80\x8B\xE2\x81\xA0\xE2\x81\xA4\xEF\xBB\xBF\xE1\x85\x9F\xE3\x85\xA4") ==
        "\\u200b\\u2060\\u2064\\ufeff\\u115f\\u3164");
  const std::string family =
      "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7 \xE2\x9D\xA4\xEF\xB8\x8F";
  CHECK(text(family) == family);
  CHECK(text("\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xB1") == "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xB1");
  CHECK(text("\xD8\x9C\xE2\x80\x8E\xE2\x80\xA8\xE2\x81\xA9") == "\\u061c\\u200e\\u2028\\u2069");
  CHECK(text("call\x95sign \xC3 \xED\xA0\x80.") ==
        "call\xEF\xBF\xBDsign \xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD.");
  CHECK(text("\xF0\x9F\x98\x80 ok") == "\xF0\x9F\x98\x80 ok");
  CHECK(json_value(R"({"m":"a\u0000b \u202e"})") == R"({"m":"a\\u0000b \\u202e"})");
  CHECK(json_value(R"({"m":"cut \ud83d"})") == "{\"m\":\"cut \xEF\xBF\xBD\"}");
  CHECK(json_value(R"({"m":"\ud83d\ude00"})") == R"({"m":"\ud83d\ude00"})");
}

TEST_CASE("what is no JSON still comes back as JSON") {
  for (const std::string_view raw : {"", "{", "{\"a\":}", "[1,]", "nul", "{\"a\":1}x", "01", "\"",
                                     "{\"password\":\"hunter2\"", "\xFF", "[1e]", "{a:1}"}) {
    CAPTURE(raw);
    const auto value = json_value(raw);
    CHECK(parses(value));
    CHECK_FALSE(holds(value, "hunter2"));
    CHECK(parses("{" + engine().json_members(raw).str() + "}"));
  }
  CHECK(engine().json_members("").str().empty());
  CHECK(engine().json_members(R"("a":1,"token":"x9")").str() == R"("a":1,"token":"[REDACTED]")");
  CHECK(parses(json_value("[1e999]")));
  CHECK(parses(json_value(std::string(100'000, '['))));
}

TEST_CASE("user rules come after the built-in ones and take part in the filter") {
  const redaction_engine own{{{"ticket", "TCK-[0-9]{6}"}, {"nothing", "x*"}}};
  CHECK(own.text("see TCK-123456 now").str() == "see [REDACTED:ticket] now");
  CHECK(own.json_value(R"({"a":["TCK-123456",{"b":"{\"c\":\"TCK-654321\"}"}]})").str() ==
        R"({"a":["[REDACTED:ticket]",{"b":"{\"c\":\"[REDACTED:ticket]\"}"}]})");
  CHECK(own.text("password=abc TCK-123456").str() == "password=[REDACTED] [REDACTED:ticket]");
  CHECK(own.text("plain").str() == "plain");
}

TEST_CASE("a whole event is redacted, and what is no text is copied") {
  raw_event raw;
  raw.kind = telemetry_kind::ci;
  raw.level = log_level::error;
  raw.status = 500;
  raw.count = 7;
  raw.duration_ms = 12.5;
  raw.name = "GET";
  raw.message = "login password=hunter2";
  raw.url = "https://a.test/?token=hunter2";
  raw.page = "https://ann:hunter2@a.test/";
  raw.stack = "at f (https://a.test/app.js?key=hunter2:1:2)";
  raw.fields = R"("headers":{"Cookie":"a=hunter2"},"n":1)";
  auto result = std::make_shared<raw_ci_result>();
  result->status = ci_status::failure;
  result->summary = "secret=hunter2";
  result->url = "https://ci.test/?token=hunter2";
  result->failures.push_back({"test_a", "password: hunter2"});
  result->failure_count = 3;
  raw.ci = result;

  const auto out = engine().redact(std::move(raw));
  for (const redacted_text* part :
       {&std::as_const(out->name), &std::as_const(out->message), &std::as_const(out->url),
        &std::as_const(out->page), &std::as_const(out->stack), &std::as_const(out->fields),
        &std::as_const(out->ci->summary), &std::as_const(out->ci->url),
        &std::as_const(out->ci->failures.at(0).message)})
    CHECK_FALSE(holds(part->view(), "hunter2"));
  CHECK(out->fields.str() == R"("headers":{"Cookie":"[REDACTED]"},"n":1)");
  CHECK(out->name.str() == "GET");
  CHECK(out->level == log_level::error);
  CHECK(out->status == 500);
  CHECK(out->count == 7);
  CHECK(out->duration_ms == 12.5);
  CHECK(out->ci->status == ci_status::failure);
  CHECK(out->ci->failure_count == 3);
  CHECK(out->ci->failures.at(0).name.str() == "test_a");
}

TEST_CASE("the events of a batch are looked at one by one, also where their texts are the same") {
  redaction::mask_log log;
  cleared_texts cleared;
  std::vector<std::shared_ptr<event>> done;
  for (const std::string message : {"hello", "hello", "password=hunter2", "password=[REDACTED]",
                                    "hello", "password=hunter2", "password=hunter2"}) {
    raw_event raw;
    raw.message = message;
    raw.fields = R"("args":[")" + message + R"("])";
    done.push_back(engine().redact(std::move(raw), log, cleared));
    raw_event alone;
    alone.message = message;
    alone.fields = R"("args":[")" + message + R"("])";
    const auto expected = engine().redact(std::move(alone));
    CHECK(done.back()->message == expected->message);
    CHECK(done.back()->fields == expected->fields);
  }
  CHECK(done[6]->message.str() == "password=[REDACTED]");
}

TEST_CASE("text that only begins like a mask is masked as well") {
  CHECK_FALSE(holds(text("password=[REDACTEDhunter2"), "hunter2"));
  CHECK_FALSE(holds(json_value(R"({"password":"[REDACTED]hunter2"})"), "hunter2"));
}

namespace {

/// Random documents with secrets planted where a rule must find them.
class document_maker {
 public:
  explicit document_maker(std::uint32_t seed) : random_(seed) {}

  nlohmann::json value(int depth) {
    switch (pick(depth > 0 ? 8 : 4)) {
    case 0:
      return static_cast<int>(pick(100'000));
    case 1:
      return words();
    case 2:
      return planted_text();
    case 3:
      return nullptr;
    case 4:
      return array(depth);
    case 5:
      return value(depth - 1).dump();
    default:
      return object(depth);
    }
  }

  const std::vector<std::string>& secrets() const { return secrets_; }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  /// Unlike anything else in the document, so that finding it means that it got through.
  std::string secret() {
    secrets_.push_back("Zq" + std::to_string(100'000'000 + random_() % 900'000'000) + "x");
    return secrets_.back();
  }

  std::string words() {
    static constexpr auto pieces = std::to_array<const char*>(
        {"ok", " ", "{",    "}", "[", "]", "\"",   "\\",           ",",  ":", "\n", "\u00e9",
         "=",  "&", "a\tb", "/", "'", "%", "\x01", "\xE2\x80\xAE", "12", "@", "://"});
    std::string out;
    for (std::size_t n = pick(8); n > 0; --n)
      out += pieces[pick(pieces.size())];
    return out;
  }

  std::string planted_text() {
    switch (pick(5)) {
    case 0:
      return "login failed: password=" + secret() + " for ann";
    case 1:
      return "Authorization: Bearer " + secret();
    case 2:
      return "https://a.test/p?token=" + secret() + "&page=2";
    case 3:
      return "connect postgres://ann:" + secret() + "@db.test/a";
    default:
      return "sent {\"api_key\":\"" + secret() + "\"}";
    }
  }

  nlohmann::json array(int depth) {
    if (pick(4) == 0)
      return {"Authorization", "Bearer " + secret()};
    auto out = nlohmann::json::array();
    for (std::size_t n = pick(4); n > 0; --n)
      out.push_back(value(depth - 1));
    return out;
  }

  nlohmann::json object(int depth) {
    nlohmann::json out = nlohmann::json::object();
    for (std::size_t n = pick(4); n > 0; --n)
      out["k" + std::to_string(pick(50))] = value(depth - 1);
    switch (pick(4)) {
    case 0:
      out["password"] = secret();
      break;
    case 1:
      out["credentials"] = {{"any", {secret(), secret()}}};
      break;
    case 2:
      out["pair"] = {{"name", "X-Api-Key"}, {"value", secret()}};
      break;
    default:
      break;
    }
    return out;
  }

  std::mt19937 random_;
  std::vector<std::string> secrets_;
};

} // namespace

TEST_CASE("random documents: the result parses and holds no planted secret") {
  std::size_t planted = 0;
  for (std::uint32_t seed = 1; seed <= 3'000; ++seed) {
    document_maker maker{seed};
    const auto raw = nlohmann::json{{"root", maker.value(5)}}.dump();
    CAPTURE(raw);
    const auto out = json_value(raw);
    REQUIRE(parses(out));
    CHECK_FALSE(holds_any(out, maker.secrets()));
    CHECK_FALSE(holds_any(text(raw), maker.secrets()));
    planted += maker.secrets().size();
  }
  CHECK(planted > 3'000);
}

TEST_CASE("cut documents: nothing crashes and no planted secret passes whole") {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    document_maker maker{seed};
    const auto raw = nlohmann::json{{"root", maker.value(4)}}.dump();
    for (std::size_t cut = 1; cut < std::min<std::size_t>(raw.size(), 300); cut += 7) {
      const auto part = raw.substr(0, raw.size() - cut);
      CAPTURE(part);
      CHECK(parses(json_value(part)));
      CHECK_FALSE(holds_any(text(part), maker.secrets()));
    }
  }
}

TEST_CASE(
    "redaction: of OTLP only the ids of a trace in front are passed over, and no known secret") {
  const std::string id(32, '4');
  const auto ids = R"("trace_id":")" + id + R"(","span_id":"4111111111111111")";
  const auto fields = [&](const redaction_engine& by, event_origin origin, std::string inside) {
    raw_event raw;
    raw.origin = origin;
    raw.fields = std::move(inside);
    return by.redact(std::move(raw))->fields.str();
  };
  CHECK(fields(engine(), event_origin::otlp, ids) == ids);
  CHECK(fields(engine(), event_origin::otlp, ids + R"(,"attributes":{"password":"hunter2"})") ==
        ids + R"(,"attributes":{"password":"[REDACTED]"})");
  CHECK(holds(fields(engine(), event_origin::page, ids), "[REDACTED"));
  CHECK(holds(fields(engine(), event_origin::otlp, R"("event_name":"4111111111111111",)" + ids),
              "[REDACTED"));
  CHECK(holds(fields(engine(), event_origin::otlp, ids + R"("more":1)"), "[REDACTED"));
  const redaction_engine knowing{{}, limits{}, {id}};
  CHECK(holds(fields(knowing, event_origin::otlp, ids), "[REDACTED:own-secret]"));
}

TEST_CASE("redaction: entries of a batch that differ in their trace ids alone are redacted each") {
  redaction::mask_log log;
  cleared_texts cleared;
  std::vector<std::shared_ptr<event>> done;
  for (const char* value : {"plain", "plain", "password=hunter2", "plain"}) {
    raw_event raw;
    raw.origin = event_origin::otlp;
    const auto id = std::string(31, 'a') + std::to_string(done.size());
    raw.fields = R"("trace_id":")" + id + R"(","note":")" + value + '"';
    done.push_back(engine().redact(std::move(raw), log, cleared));
    CHECK(holds(done.back()->fields.view(), id));
  }
  CHECK(holds(done[1]->fields.view(), R"("note":"plain")"));
  CHECK(holds(done[2]->fields.view(), R"("note":"password=[REDACTED]")"));
  CHECK(holds(done[3]->fields.view(), R"("note":"plain")"));
}
