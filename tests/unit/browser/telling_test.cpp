#include "actors/browser/actions/emulation.hpp"
#include "actors/browser/actions/upload_files.hpp"
#include "actors/browser/cdp/cdp_message.hpp"
#include "actors/browser/entries/issue_entries.hpp"
#include "actors/browser/entries/socket_sampler.hpp"
#include "actors/browser/pages/page_table.hpp"
#include "config/settings.hpp"
#include "transport/cdp/running_browsers.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace gasoline;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* now = "2026-01-01T00:00:00.000Z";
const entry_place place{"http://localhost/", "L1", "p1", "", false};

/// What an issue becomes; null: nothing.
json issue(const json& params) {
  cdp_reader reader;
  const auto text = json{{"method", "Audits.issueAdded"}, {"params", params}}.dump();
  const auto entry = issue_entry(reader.read(text)->content, place, now);
  return entry.empty() ? json{} : json::parse(entry);
}

/// What a socket watch says of an event; null: nothing.
json told(socket_sampler& watch, const std::string& method, const json& params) {
  cdp_reader reader;
  const auto text = json{{"method", method}, {"params", params}}.dump();
  const auto entry = watch.told(method, reader.read(text)->content, place, now);
  return entry.empty() ? json{} : json::parse(entry);
}

/// A directory of its own for one test.
class test_directory {
 public:
  test_directory() {
    std::string name = (fs::temp_directory_path() / "gasoline-unit-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  test_directory(const test_directory&) = delete;
  test_directory& operator=(const test_directory&) = delete;
  ~test_directory() { fs::remove_all(path_); }

  fs::path write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream{path_ / name} << text;
    return path_ / name;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

} // namespace

TEST_CASE("a cookie that was not taken is told by its name, and nothing of what it holds") {
  const auto entry = issue({{"issue",
                             {{"code", "CookieIssue"},
                              {"details",
                               {{"cookieIssueDetails",
                                 {{"rawCookieLine", "session=s3cret; SameSite=None"},
                                  {"cookieExclusionReasons", {"ExcludeSameSiteNoneInsecure"}},
                                  {"cookieWarningReasons", json::array()},
                                  {"operation", "SetCookie"},
                                  {"cookieUrl", "http://localhost/"}}}}}}}});
  CHECK(entry.at("message") == "Cookie session was not set: ExcludeSameSiteNoneInsecure");
  CHECK(entry.at("level") == "warn");
  CHECK(entry.at("tab") == "p1");
  CHECK(entry.dump().find("s3cret") == std::string::npos);
}

TEST_CASE("mixed content is an error where it was blocked; other issues are told elsewhere") {
  const auto mixed = [](const char* status) {
    return issue({{"issue",
                   {{"code", "MixedContentIssue"},
                    {"details",
                     {{"mixedContentIssueDetails",
                       {{"insecureURL", "http://a.test/x.js"}, {"resolutionStatus", status}}}}}}}});
  };
  CHECK(mixed("MixedContentBlocked").at("level") == "error");
  CHECK(mixed("MixedContentWarning").at("level") == "warn");
  CHECK(mixed("MixedContentWarning").at("type") == "security");
  CHECK(issue({{"issue", {{"code", "GenericIssue"}, {"details", json::object()}}}}).is_null());
  CHECK(issue(json::object()).is_null());
}

TEST_CASE("of a socket its life and its first messages are told, and nothing that the page sends") {
  socket_sampler watch;
  CHECK(told(watch, "Network.webSocketCreated", {{"requestId", "1"}, {"url", "ws://a/live"}})
            .is_null());
  const auto opened = told(watch, "Network.webSocketHandshakeResponseReceived",
                           {{"requestId", "1"}, {"response", {{"status", 101}}}});
  CHECK(opened.at("event") == "open");
  CHECK(opened.at("url") == "ws://a/live");
  CHECK(opened.at("page") == "http://localhost/");
  const json frame{{"requestId", "1"}, {"response", {{"opcode", 1}, {"payloadData", "hello"}}}};
  int messages = 0;
  for (int i = 0; i < 20; ++i)
    messages += told(watch, "Network.webSocketFrameReceived", frame).is_null() ? 0 : 1;
  CHECK(messages == 5);
  CHECK(told(watch, "Network.webSocketFrameSent", frame).is_null());
  watch.note_reason(R"({"url":"ws://a/other","code":1001})");
  watch.note_reason(R"({"url":"ws://a/live","code":4001,"reason":"no ticket","by_page":false})");
  for (const auto* wrong :
       {"", "7", R"({"url":5,"code":"x"})", R"({"url":"ws://a/live","code":1e9})"})
    watch.note_reason(wrong);
  const auto closed = json::parse(watch.closed("1", place, now));
  CHECK(closed.at("event") == "close");
  CHECK(closed.at("code") == 4001);
  CHECK(closed.at("reason") == "no ticket");
  CHECK(!closed.contains("cause"));
  CHECK(watch.closed("1", place, now).empty());
  told(watch, "Network.webSocketCreated", {{"requestId", "2"}, {"url", "ws://a/none"}});
  const auto failed = told(watch, "Network.webSocketFrameError",
                           {{"requestId", "2"}, {"errorMessage", "Unexpected response code: 404"}});
  CHECK(failed.at("reason") == "Unexpected response code: 404");
  CHECK(failed.at("opened") == false);
}

TEST_CASE("what a page appears as: each by its name, all put back by none") {
  const auto viewport = emulation_of({{"viewport", "390x844@3"}});
  REQUIRE(viewport);
  REQUIRE(viewport->size() == 1);
  CHECK(viewport->front().parameters.at("width") == 390);
  CHECK(viewport->front().parameters.at("deviceScaleFactor") == 3);
  CHECK(emulation_of({{"viewport", "390x844"}}));
  CHECK(emulation_of({{"viewport", false}})->front().method ==
        "Emulation.clearDeviceMetricsOverride");
  CHECK(emulation_of(json::object())->size() == 6);
  CHECK(emulation_of(nullptr)->size() == 6);
  CHECK(emulation_of({{"offline", true}})->front().parameters.at("offline") == true);
  CHECK(emulation_of({{"slow", true}})->front().parameters.at("latency") > 0);
  for (const json& wrong :
       {json{{"viewport", "wide"}}, json{{"viewport", "0x10"}}, json{{"viewport", "10x"}},
        json{{"viewport", "390x844@"}}, json{{"viewport", "390x844 "}},
        json{{"viewport", "99999x1"}}, json{{"viewport", 7}}, json{{"viewport", "1e9x1"}},
        json{{"cpu", 0}}, json{{"cpu", "x"}}, json{{"cpu", 1000}}, json{{"locale", 3}},
        json{{"moon", true}}})
    CHECK_MESSAGE(!emulation_of(wrong), wrong.dump());
  CHECK(emulation_text({{"dark", true}, {"cpu", 4}, {"touch", false}}) ==
        "emulating cpu 4, dark, no touch");
}

TEST_CASE("files to upload come from the directories that are open, links followed, none hidden") {
  const test_directory open;
  const test_directory other;
  open.write("a.txt", "a");
  open.write("sub/b.txt", "b");
  open.write(".env", "secret");
  open.write(".git/config", "x");
  const auto outside = other.write("c.txt", "c");
  fs::create_symlink(outside, open.path() / "link.txt");
  fs::create_symlink(open.path() / "a.txt", open.path() / "alias.txt");
  const std::vector<fs::path> directories{open.path()};
  const auto takes = [&](const std::string& file) {
    return uploadable_files({file}, directories).has_value();
  };
  CHECK(takes("a.txt"));
  CHECK(takes("sub/b.txt"));
  CHECK(takes("alias.txt"));
  CHECK(takes((open.path() / "a.txt").string()));
  for (const auto& file :
       {std::string{".env"}, std::string{".git/config"}, std::string{"link.txt"},
        std::string{"../" + other.path().filename().string() + "/c.txt"}, outside.string(),
        std::string{"sub"}, std::string{"none.txt"}, std::string{}, open.path().string()})
    CHECK_MESSAGE(!takes(file), file);
  const auto refused = uploadable_files({"a.txt", ".env"}, directories);
  REQUIRE(!refused);
  CHECK(refused.error().message.find(".env") != std::string::npos);
  CHECK(refused.error().message.find(open.path().string()) != std::string::npos);
}

TEST_CASE("running browsers are found by what their profiles say, the newest first") {
  const test_directory config;
  config.write("chromium/DevToolsActivePort", "41001\n/devtools/browser/a");
  const auto newest =
      config.write("google-chrome/DevToolsActivePort", "41002\n/devtools/browser/b\n");
  fs::last_write_time(newest, fs::file_time_type::clock::now() + std::chrono::hours{1});
  config.write("vivaldi/DevToolsActivePort", "nonsense");
  const auto doors = browser_doors({}, config.path(), config.path());
  REQUIRE(doors.size() == 3);
  CHECK(doors[0].port == 41002);
  CHECK(doors[0].path == "/devtools/browser/b");
  CHECK(doors[1].port == 41001);
  CHECK(doors[2].port == 9222);
  CHECK(doors[2].path.empty());
  browser_settings named;
  named.address = "http://[::1]:9333";
  const auto one = browser_doors(named, config.path(), config.path());
  REQUIRE(one.size() == 1);
  CHECK(one[0].host == "::1");
  CHECK(one[0].port == 9333);
  for (const auto* text : {"", "x", "70000", "1 /a", "-1\n/x"})
    CHECK_MESSAGE(read_door(text).port == 0, text);
  CHECK(read_door("9222").path.empty());
  CHECK(read_door("9222\nhttp://evil/").path.empty());
}

TEST_CASE("the first pages share a profile; a client is told apart from those who work in it") {
  page_table table;
  const auto add = [&](const char* name, const char* context) {
    browser_session session;
    session.id = session.target = name;
    session.type = "page";
    session.context = context;
    session.url = "http://localhost/";
    return table.add(std::move(session))->page;
  };
  const auto first = add("A", "profile");
  CHECK(table.newest_of_nobody() == first);
  CHECK(!table.others_work_in_profile(2));
  table.choose(1, first);
  CHECK(table.newest_of_nobody() == nullptr);
  CHECK(table.others_work_in_profile(2));
  CHECK(!table.others_work_in_profile(1));
  const auto second = add("B", "apart");
  table.choose(3, second);
  CHECK(!table.others_work_in_profile(1));
  table.forget(1);
  CHECK(!table.others_work_in_profile(2));
}
