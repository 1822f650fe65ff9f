// What a client shows its model of `observe`: how much of the description, of the schema and of the
// server's instructions, and where it stands. Some clients cut, some drop limits, some want a search.
const protocol_version = "2026-07-28";

const ask = async (port, method) => {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": protocol_version,
      "mcp-method": method,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": protocol_version,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  const answer = await response.json();
  if (!answer.result) throw new Error(`${method}: ${JSON.stringify(answer)}`);
  return answer.result;
};

// What the engine offers.
export const offer_of = async (port) => {
  const { tools } = await ask(port, "tools/list");
  const { description, inputSchema } = tools.find(({ name }) => name === "observe");
  const { instructions } = await ask(port, "server/discover");
  return { description, schema: inputSchema, instructions };
};

const bytes_of = (text) => Buffer.byteLength(text);
const beginning_chars = 40;

// The longest beginning of `text` in `place`, as it is or as a string within JSON; in bytes.
const longest_beginning = (text, place) => {
  let best = 0;
  for (const form of [text, JSON.stringify(text).slice(1, -1)]) {
    const head = form.slice(0, beginning_chars);
    for (let at = place.indexOf(head); at >= 0; at = place.indexOf(head, at + 1)) {
      let length = head.length;
      while (length < form.length && place[at + length] === form[length]) length += 1;
      const whole = length === form.length;
      best = Math.max(best, whole ? bytes_of(text) : bytes_of(form.slice(0, length)));
    }
  }
  return best;
};

const each_text = (value, visit, at = []) => {
  if (typeof value === "string") visit(value, at);
  else if (value && typeof value === "object")
    for (const [key, inner] of Object.entries(value)) each_text(inner, visit, [...at, key]);
};

// Where most of the text stands: {bytes, field}; nothing: nowhere.
const shown_in = (request, text, field_of) => {
  let best;
  each_text(request.body, (place, at) => {
    const bytes = longest_beginning(text, place);
    if (bytes > (best?.bytes ?? 0)) best = { bytes, field: field_of(request, at) };
  });
  return best;
};

const limit_words = ["minimum", "maximum"];
const count_of = (schema, words) => {
  let out = 0;
  const look = (value) => {
    if (!value || typeof value !== "object") return;
    for (const [key, inner] of Object.entries(value)) {
      if (words.includes(key) && typeof inner === "number") out += 1;
      look(inner);
    }
  };
  look(schema);
  return out;
};

// The first and the later requests of a conversation, against what the engine offers.
export const shown_of = (offer, requests, tools_of, field_of) => {
  const main = requests.filter((request) => request.main);
  const listed = main.flatMap((request) => tools_of(request.protocol, request.body));
  const tool = listed.find(({ name }) => /(^|[^a-z])observe$/i.test(name ?? ""));
  const later = main
    .map((request) => shown_in(request, offer.description, field_of))
    .filter(Boolean)
    .toSorted((a, b) => b.bytes - a.bytes)[0];
  return {
    first: shown_in(main[0], offer.description, field_of),
    later,
    instructions: shown_in(main[0], offer.instructions, field_of),
    schema: tool && {
      bytes: bytes_of(JSON.stringify(tool.schema)),
      limits: count_of(tool.schema, limit_words),
    },
    of: {
      description: bytes_of(offer.description),
      instructions: bytes_of(offer.instructions),
      schema: bytes_of(JSON.stringify(offer.schema)),
      limits: count_of(offer.schema, limit_words),
    },
  };
};
