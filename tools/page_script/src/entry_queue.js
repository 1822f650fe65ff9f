// The entries that wait for the engine, in the order in which they were reported. Bounded; what
// does not fit is lost, the oldest first.
//
//   entry      event                                       next
//   waiting    its batch is taken                          leaving
//   waiting    the queue is over its bounds                lost
//   leaving    the engine takes the batch                  there
//   leaving    the engine wants to wait                    waiting
//   leaving    the engine refuses it alone                 lost
//   leaving    the engine refuses it with others           split
//   leaving    no answer                                   suspect
//   suspect    the engine does not answer others either    waiting
//   suspect    the engine answers others                   split; lost where it was split to one
//   split      all that are not split have left            leaving, in a smaller batch
//
// What goes back takes its old place, and one that can never leave does not stop the others.

const queue_entries = 5000;
const queue_chars = 4e6;
const split_in = 8;

export const open_queue = () => {
  let waiting = [];
  let chars = 0;
  let next_place = 0;
  let lost = 0;

  const set_waiting = (entries) => {
    waiting = entries;
    chars = 0;
    for (const { text } of entries) chars += text.length;
  };

  const lose = (entries) => {
    for (const { worth } of entries) lost += worth;
  };

  const forget_oldest = () => {
    let count = 0;
    while (waiting.length - count > queue_entries || chars > queue_chars)
      chars -= waiting[count++].text.length;
    if (count) lose(waiting.splice(0, count));
  };

  const put_back = (entries) => {
    set_waiting([...waiting, ...entries].sort((one, other) => one.place - other.place));
    forget_oldest();
  };

  // `size` is how many there were in the batch of an entry, `most` how many there may be.
  const doubt = (entries, is_hopeless) => {
    const kept = entries.filter((entry) => !is_hopeless(entry));
    lose(entries.filter(is_hopeless));
    put_back(kept.map(({ size, ...entry }) => ({ ...entry, most: Math.ceil(size / split_in) })));
  };

  const with_size = (batch) => batch.map((entry) => ({ ...entry, size: batch.length }));

  return {
    get length() {
      return waiting.length;
    },

    // `text` is the entry as JSON, `worth` how many are lost with it.
    add: (route, text, worth) => {
      waiting.push({ place: next_place++, route, text, worth });
      chars += text.length;
      forget_oldest();
    },

    // Takes the oldest entries of one route that go together, in at most so many characters.
    take_batch: (most_entries, most_chars) => {
      const first = waiting.find(({ most }) => !most) ?? waiting[0];
      const limit = first.most ?? most_entries;
      let room = most_chars - first.text.length;
      const batch = [first];
      const goes_along = ({ route, most, text }) =>
        route == first.route &&
        most == first.most &&
        batch.length < limit &&
        (room -= text.length) >= 0;
      const rest = waiting.filter((entry) => {
        if (entry == first) return false;
        const goes = goes_along(entry);
        if (goes) batch.push(entry);
        return !goes;
      });
      set_waiting(rest);
      return batch;
    },

    put_back,
    put_back_refused: (batch) => doubt(with_size(batch), ({ size }) => size == 1),
    put_back_suspects: (batch) => put_back(with_size(batch)),

    // What it means for the suspects that the engine has answered another post, or has not.
    judge_suspects: (engine_answers) => {
      const suspects = waiting.filter(({ size }) => size);
      set_waiting(waiting.filter(({ size }) => !size));
      if (engine_answers) doubt(suspects, ({ most }) => most == 1);
      else put_back(suspects.map(({ size, ...entry }) => entry));
    },

    // How many were lost since the last time.
    take_lost: () => {
      const count = lost;
      lost = 0;
      return count;
    },

    clear: () => set_waiting([]),
  };
};
