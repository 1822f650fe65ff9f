#include "transport/http/body_inflater.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;

namespace {

constexpr std::uint64_t cap = 1 << 20;

/// Text that does not become much smaller.
std::string text_of(std::size_t bytes) {
  std::string out;
  for (std::uint32_t n = 1; out.size() < bytes; n = n * 1'664'525 + 1'013'904'223)
    out += static_cast<char>('a' + (n >> 24U) % 26);
  return out;
}

std::string deflated(const std::string& text) {
  auto size = compressBound(text.size());
  std::string out(size, '\0');
  REQUIRE(compress(reinterpret_cast<Bytef*>(out.data()), &size,
                   reinterpret_cast<const Bytef*>(text.data()), text.size()) == Z_OK);
  out.resize(size);
  return out;
}

/// Another thread, as far as the order of what happens goes.
struct apart {
  struct task {
    std::function<void()> work;
    std::function<void()> then;
  };

  run_apart run() {
    return [this](std::function<void()> work, std::function<void()> then) {
      tasks.push_back({std::move(work), std::move(then)});
    };
  }

  void finish() {
    const auto task = std::move(tasks.front());
    tasks.erase(tasks.begin());
    task.work();
    task.then();
  }

  std::vector<task> tasks;
};

struct inflating {
  void send(const std::string& body) {
    inflater->inflate(content_coding::deflate, body, cap, [this](const inflated_body& each) {
      sizes.push_back(each.bytes.size());
      statuses.push_back(each.status);
    });
  }

  apart other;
  std::shared_ptr<body_inflater> inflater = std::make_shared<body_inflater>();
  std::vector<std::size_t> sizes;
  std::vector<inflate_status> statuses;
};

} // namespace

TEST_CASE("without another thread, and for small bodies, inflating is done at once") {
  inflating f;
  f.send(deflated(text_of(50'000)));
  CHECK(f.sizes == std::vector<std::size_t>{50'000});
  f.inflater->use(f.other.run());
  f.send(deflated("hello"));
  CHECK(f.other.tasks.empty());
  CHECK(f.sizes.back() == 5);
}

TEST_CASE("large bodies are inflated elsewhere, one at a time and in order, within the cap") {
  inflating f;
  f.inflater->use(f.other.run());
  f.send(deflated(text_of(50'000)));
  f.send(deflated(std::string(2 << 20, 'x') + text_of(9'000)));
  f.send("no stream at all" + text_of(5'000));
  f.send(deflated(text_of(60'000)));
  CHECK(f.sizes.empty());
  for (std::size_t done = 1; done <= 4; ++done) {
    REQUIRE(f.other.tasks.size() == 1);
    f.other.finish();
    CHECK(f.statuses.size() == done);
  }
  CHECK(f.other.tasks.empty());
  CHECK(f.statuses == std::vector<inflate_status>{inflate_status::done, inflate_status::too_large,
                                                  inflate_status::ill_formed,
                                                  inflate_status::done});
  CHECK(f.sizes.front() == 50'000);
  CHECK(f.sizes.back() == 60'000);
}

TEST_CASE("nobody takes a body behind the end; what was begun may end after the inflater") {
  inflating f;
  f.inflater->use(f.other.run());
  f.send(deflated(text_of(50'000)));
  f.send(deflated(text_of(60'000)));
  f.inflater->stop();
  f.inflater.reset();
  f.other.finish();
  CHECK(f.sizes.empty());
  CHECK(f.other.tasks.empty());
}
