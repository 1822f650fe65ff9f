#include "transport/cdp/browser_search.hpp"
#include "transport/cdp/message_splitter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace gasoline;

TEST_CASE("messages of a browser end with NUL, wherever its bytes are cut") {
  const std::string bytes{"one\0two\0\0three", 14};
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    message_splitter splitter{100};
    std::vector<std::string> told;
    const auto tell = [&](std::string message) { told.push_back(std::move(message)); };
    splitter.take(std::string_view{bytes}.substr(0, cut), tell);
    splitter.take(std::string_view{bytes}.substr(cut), tell);
    CHECK(told == std::vector<std::string>{"one", "two", ""});
  }
}

TEST_CASE("a message over the cap is dropped whole, and what follows is read") {
  message_splitter splitter{4};
  std::vector<std::string> told;
  const auto tell = [&](std::string message) { told.push_back(std::move(message)); };
  splitter.take(std::string_view{"abcd\0abc", 8}, tell);
  splitter.take(std::string_view{"def\0ok\0", 7}, tell);
  CHECK(told == std::vector<std::string>{"abcd", "ok"});
  CHECK(splitter.dropped() == 1);
}

TEST_CASE("as root a browser gets no sandbox, and a warning; without a display no window") {
  browser_settings settings;
  settings.arguments = {"--lang=de"};
  const auto has = [](const browser_command& command, const char* word) {
    return std::count(command.words.begin(), command.words.end(), word) == 1;
  };
  const auto root = browser_command_of(settings, "/usr/bin/chromium", "/p", true, false);
  CHECK(has(root, "--no-sandbox"));
  CHECK(has(root, "--headless"));
  CHECK(has(root, "--lang=de"));
  CHECK(has(root, "--user-data-dir=/p"));
  CHECK(!root.warning.empty());
  const auto user = browser_command_of(settings, "/usr/bin/chromium", "/p", false, true);
  CHECK_FALSE(has(user, "--no-sandbox"));
  CHECK_FALSE(has(user, "--headless"));
  CHECK(user.warning.empty());
}

TEST_CASE("a browser that is not there is named, with what to do") {
  browser_settings settings;
  CHECK(find_browser(settings, "/nowhere::/none").error().message.find("--browser-path") !=
        std::string::npos);
  settings.program = "/nowhere/chrome";
  CHECK(find_browser(settings, "/usr/bin").error().message.find("/nowhere/chrome") !=
        std::string::npos);
}
