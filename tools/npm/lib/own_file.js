import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const most_bytes = 4096;

// Windows has neither.
export const own_user = process.geteuid?.();

const read = (descriptor) => {
  const file = fstatSync(descriptor);
  const is_own = own_user === undefined || file.uid == own_user || file.uid == 0;
  if (!file.isFile() || !is_own) return undefined;
  const bytes = Buffer.alloc(most_bytes);
  return bytes.toString("utf8", 0, readSync(descriptor, bytes));
};

// The text of a small file that the engine of this user has written; nothing when there is none, it
// is a link, or somebody else's.
export const read_own_file = (path) => {
  let descriptor;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    return read(descriptor);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};
