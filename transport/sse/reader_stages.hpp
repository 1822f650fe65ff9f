#pragma once

#include <array>
#include <cstdint>

namespace gasoline {

/// Where one reader of a stream is. A reader that is behind keeps no events: it asks for them piece
/// by piece, so what the buffer drops meanwhile is missed and said, not held for it.
enum class reader_stage : std::uint8_t {
  opening, ///< the response has not begun
  asking,  ///< behind; a piece was asked for
  sending, ///< behind; a piece is on its way to the client
  live,    ///< has everything; gets what comes
  ended    ///< the stream is gone
};

enum class reader_event : std::uint8_t {
  started,    ///< the response can be written
  piece,      ///< the piece has come, and there is more
  last_piece, ///< the piece has come, and nothing is behind it but what is told from now on
  drained,    ///< the client has taken all that was written
  round,      ///< new events of the stream
  finished    ///< the stream is gone
};

enum class reader_action : std::uint8_t {
  none,
  begin, ///< write the prologue and ask for the first piece
  ask,   ///< ask for the next piece
  write, ///< write the events of the piece or of the round
  end    ///< end the response
};

struct reader_step {
  reader_stage next;
  reader_action action;
};

struct reader_row {
  reader_stage at;
  reader_event event;
  reader_step step;
};

/// Everything that can happen to a reader. What has no row changes nothing: a piece that comes
/// after the end, a round for a reader that is behind and finds those events in the buffer, a
/// client that has taken all there is.
inline constexpr std::array<reader_row, 11> reader_table{{
    {reader_stage::opening, reader_event::started, {reader_stage::asking, reader_action::begin}},
    {reader_stage::opening, reader_event::finished, {reader_stage::ended, reader_action::none}},
    {reader_stage::asking, reader_event::piece, {reader_stage::sending, reader_action::write}},
    {reader_stage::asking, reader_event::last_piece, {reader_stage::live, reader_action::write}},
    {reader_stage::asking, reader_event::finished, {reader_stage::ended, reader_action::end}},
    {reader_stage::sending, reader_event::drained, {reader_stage::asking, reader_action::ask}},
    {reader_stage::sending, reader_event::finished, {reader_stage::ended, reader_action::end}},
    {reader_stage::live, reader_event::round, {reader_stage::live, reader_action::write}},
    {reader_stage::live, reader_event::finished, {reader_stage::ended, reader_action::end}},
    // The stream went before the response began.
    {reader_stage::ended, reader_event::started, {reader_stage::ended, reader_action::end}},
    {reader_stage::ended, reader_event::finished, {reader_stage::ended, reader_action::none}},
}};

constexpr reader_step step_of(reader_stage at, reader_event event) {
  for (const auto& row : reader_table)
    if (row.at == at && row.event == event)
      return row.step;
  return {at, reader_action::none};
}

} // namespace gasoline
