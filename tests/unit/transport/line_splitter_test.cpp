#include "transport/line_splitter.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace gasoline {
namespace {

struct collected {
  std::vector<std::string> lines;
  int overlong = 0;
  line_splitter splitter;

  explicit collected(std::size_t cap) : splitter(cap) {}

  void feed(std::string_view bytes) {
    splitter.feed(
        bytes, [this](std::string_view line) { lines.emplace_back(line); }, [this] { ++overlong; });
  }

  void finish() {
    splitter.finish([this](std::string_view line) { lines.emplace_back(line); },
                    [this] { ++overlong; });
  }
};

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("lines are the same however the bytes are cut") {
  const std::string text = "one\r\ntwo\n\n\nthree\nfour";
  for (std::size_t step = 1; step <= text.size(); ++step) {
    collected c{100};
    for (std::size_t i = 0; i < text.size(); i += step)
      c.feed(std::string_view{text}.substr(i, step));
    c.finish();
    CHECK(c.lines == lines{"one", "two", "three", "four"});
  }
}

TEST_CASE("an overlong line is reported once and the next one is read") {
  collected c{10};
  for (int i = 0; i < 1000; ++i)
    c.feed("0123456789");
  CHECK(c.overlong == 0);
  c.feed("\nok\n");
  CHECK(c.overlong == 1);
  CHECK(c.lines == lines{"ok"});
}

TEST_CASE("a line at the cap passes, one byte more does not") {
  collected c{4};
  c.feed("1234\n12345\n");
  CHECK(c.lines == lines{"1234"});
  CHECK(c.overlong == 1);
}

} // namespace gasoline
