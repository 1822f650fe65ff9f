// What ties the entries about one error together, and those of an error to its request.
import { is_abort } from "./failure_cause.js";
import { request_behind } from "./known_requests.js";
import { is_leaving, page_id } from "./page_life.js";
import { is_error } from "./serialize.js";

const echo_ms = 5000;
const cause_limit = 5;
const cut_off_texts =
  /^(Failed to fetch|Load failed|NetworkError|network error|.*dynamically imported module)/i;

// By error: its id, and when it was told last.
const known_errors = new WeakMap();
let errors = 0;

const chain_of = (error) => {
  const chain = [];
  for (; error instanceof Object && chain.length < cause_limit; error = error.cause)
    chain.push(error);
  return chain;
};

const identify = (error) => {
  const chain = chain_of(error);
  const known = chain.map((one) => known_errors.get(one)).find(Boolean);
  const { id = `e${++errors}`, at = -Infinity } = known ?? {};
  const now = performance.now();
  for (const one of chain) known_errors.set(one, { id, at: now });
  return { error_id: id, echo: now - at < echo_ms || undefined };
};

const was_cut_off = (error) => is_leaving() && cut_off_texts.test(error?.message);

const request_marks = (error) => {
  const request = request_behind(error);
  const own_cause = is_abort(error) ? "aborted" : was_cut_off(error) ? "navigation" : undefined;
  return { request_id: request?.id, cause: request?.cause ?? own_cause };
};

// The marks of an entry about an error, or about whatever else a promise was rejected with.
export const marks_of_error = (error) => {
  const marks = { page_id };
  if (!(error instanceof Object)) return marks;
  try {
    if (is_error(error)) Object.assign(marks, identify(error));
    Object.assign(marks, request_marks(error));
  } catch {
    // It does not let itself be looked at.
  }
  return marks;
};
