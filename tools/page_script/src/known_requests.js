// Which request an object of the page came out of: the error that a fetch failed with, a Response,
// an XMLHttpRequest.

const requests = new WeakMap();
const cause_limit = 5;

export const remember_request = (object, request) => {
  if (object instanceof Object) requests.set(object, request);
};

export const request_of = (object) => requests.get(object);

// The request behind a value, its causes, and what axios and others put beside their errors.
export const request_behind = (value) => {
  for (let i = 0; value instanceof Object && i < cause_limit; i++, value = value.cause) {
    for (const object of [value, value.request, value.response, value.response?.request]) {
      const request = request_of(object);
      if (request) return request;
    }
  }
  return undefined;
};
