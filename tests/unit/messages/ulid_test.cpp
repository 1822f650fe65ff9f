#include "messages/base/identity/ulid.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

using namespace gasoline;

namespace {

wall_time at(std::int64_t milliseconds) {
  return wall_time{std::chrono::milliseconds{milliseconds}};
}

random_source counting(std::uint64_t from) {
  return [n = from]() mutable { return n++ * 0x9E37'79B9'7F4A'7C15ULL; };
}

} // namespace

TEST_CASE("an id is a prefix and a ULID that tells its time") {
  ulid_source ids{counting(1)};
  const auto id = ids.next(id_kind::record, at(1'469'918'176'385));
  CHECK(id.size() == 30);
  // The time of the ULID specification's own example.
  CHECK(id.substr(0, 14) == "evt_01ARYZ6S41");
  CHECK(is_id(id_kind::record, id));
  CHECK_FALSE(is_id(id_kind::turn, id));
  CHECK(time_of_id(id) == at(1'469'918'176'385));
  CHECK_FALSE(time_of_id("evt_01ARYZ6S41"));
  CHECK_FALSE(time_of_id("evt_8ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
  CHECK_FALSE(is_id(id_kind::record, "evt_01ARYZ6S41DEADBEEFDEADBEEU"));
  CHECK(first_id_at(id_kind::record, at(1'469'918'176'385)) < id);
}

TEST_CASE("an id follows its floor, and the largest random part carries over") {
  ulid_source ids{counting(1)};
  ids.raise_floor("evt_01ARYZ6S41ZZZZZZZZZZZZZZZZ");
  CHECK(ids.next(id_kind::turn, at(0)) == "turn_01ARYZ6S420000000000000000");
  ids.raise_floor("no id");
  ids.raise_floor("evt_00000000000000000000000000");
  CHECK(ids.next(id_kind::turn, at(0)) == "turn_01ARYZ6S420000000000000001");
}

TEST_CASE("property: ids rise, whatever the wall clock does") {
  const bool holds = rc::check([] {
    ulid_source ids{counting(*rc::gen::arbitrary<std::uint64_t>())};
    std::string last;
    const auto times = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange(0, 50));
    for (const auto t : times) {
      const auto id = ids.next(id_kind::record, at(t));
      RC_ASSERT(id > last);
      RC_ASSERT(is_id(id_kind::record, id));
      last = id;
    }
    ulid_source others{counting(7)};
    others.raise_floor(last);
    RC_ASSERT(others.next(id_kind::record, at(0)) > last);
  });
  CHECK(holds);
}
