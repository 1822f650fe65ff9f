#include "transport/sse/reader_stages.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

TEST_CASE("every step of a reader is in the table once") {
  for (const auto& row : reader_table) {
    int rows = 0;
    for (const auto& other : reader_table)
      rows += other.at == row.at && other.event == row.event ? 1 : 0;
    CHECK(rows == 1);
  }
}

TEST_CASE("a reader ends once, whenever its stream goes, and nothing follows") {
  for (const auto at : {reader_stage::opening, reader_stage::asking, reader_stage::sending,
                        reader_stage::live, reader_stage::ended})
    CHECK(step_of(at, reader_event::finished).next == reader_stage::ended);
  for (const auto event : {reader_event::piece, reader_event::last_piece, reader_event::drained,
                           reader_event::round, reader_event::finished}) {
    const auto step = step_of(reader_stage::ended, event);
    CHECK(step.next == reader_stage::ended);
    CHECK(step.action == reader_action::none);
  }
  CHECK(step_of(reader_stage::ended, reader_event::started).action == reader_action::end);
}
