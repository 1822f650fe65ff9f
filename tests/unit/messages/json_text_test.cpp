#include "messages/base/json/json_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>

using namespace gasoline;
using nlohmann::json;

TEST_CASE("documents are written byte for byte as the library writes them") {
  std::string every_byte;
  for (int c = 0; c < 256; ++c)
    every_byte += static_cast<char>(c);
  const json texts{"",     "plain", "a \"quote\" \\ \n\r\t", "\b\f\x1F",
                   "\x7F", "é€😀",   "cut \xE2\x82",          every_byte};
  const json numbers{0,
                     -7,
                     std::numeric_limits<std::int64_t>::min(),
                     std::numeric_limits<std::uint64_t>::max(),
                     0.1,
                     1e300,
                     -0.0,
                     std::numeric_limits<double>::infinity(),
                     true,
                     nullptr};
  const json document{{"texts", texts},
                      {"numbers", numbers},
                      {"empty", {json::object(), json::array()}},
                      {"a \"key\"\n", {{"bytes", json::binary({1, 2})}}}};
  for (const auto& each : {texts, numbers, document, json{}, json(json::value_t::discarded)})
    CHECK(dumped(each) == each.dump(-1, ' ', false, json::error_handler_t::replace));
}
