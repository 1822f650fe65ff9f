#include "actors/redaction/redaction_engine.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <thread>

namespace gasoline {

// The redactor and every client session share one engine.
TEST_CASE("one redaction engine serves several threads at once") {
  const redaction_engine engine{{{"ticket", "TCK-[0-9]{6}"}}};
  std::array<std::string, 4> last;
  std::array<std::thread, 4> threads;
  for (std::size_t t = 0; t < threads.size(); ++t)
    threads[t] = std::thread{[&engine, &last, t] {
      for (int i = 0; i < 200; ++i) {
        engine.json_value(R"({"user":"ann","note":"nothing to hide"})");
        last[t] = engine.text("login failed, password: hunter2, see TCK-123456").str();
      }
    }};
  for (auto& t : threads)
    t.join();
  for (const auto& text : last) {
    CHECK(text.find("hunter2") == std::string::npos);
    CHECK(text.find("[REDACTED:ticket]") != std::string::npos);
  }
}

} // namespace gasoline
