// A server in the shapes of the Anthropic Messages API, streaming.
import { refused } from "./provider_server.mjs";

const event = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const refusal_types = {
  400: "invalid_request_error",
  401: "authentication_error",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

const start_of = (model, usage) =>
  event("message_start", {
    message: {
      id: "msg_fake01",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: usage.input_tokens, output_tokens: 1 },
    },
  });

const end_of = (stop_reason, usage) => [
  event("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  }),
  event("message_stop", {}),
];

// How each kind of block begins, and what its pieces are.
const kinds = {
  text: {
    empty: () => ({ type: "text", text: "" }),
    delta: (text) => ({ type: "text_delta", text }),
  },
  thinking: {
    empty: () => ({ type: "thinking", thinking: "", signature: "" }),
    delta: (thinking) => ({ type: "thinking_delta", thinking }),
  },
  tool_use: {
    empty: ({ id, name }) => ({ type: "tool_use", id, name, input: {} }),
    delta: (partial_json) => ({ type: "input_json_delta", partial_json }),
  },
};

const block_events = (block, index) => {
  const { empty, delta } = kinds[block.type];
  const deltas = block.pieces.map(delta);
  if (block.signature) deltas.push({ type: "signature_delta", signature: block.signature });
  return [
    event("content_block_start", { index, content_block: empty(block) }),
    ...deltas.map((piece) => event("content_block_delta", { index, delta: piece })),
    event("content_block_stop", { index }),
  ];
};

// The events of an answer. A block is {type, pieces} with `signature` or `id` and `name`.
const events = ({ model = "fake", blocks, uses_tools = false, usage }) => {
  const tokens = usage ?? { input_tokens: 11, output_tokens: 7 };
  return [
    start_of(model, tokens),
    event("ping", {}),
    ...blocks.flatMap(block_events),
    ...end_of(uses_tools ? "tool_use" : "end_turn", tokens),
  ];
};

export const anthropic = {
  provider: "anthropic",
  path: "/v1/messages",
  base_url: (origin) => origin,
  key_in: (headers) => headers["x-api-key"],
  events,
  error_event: (message) => event("error", { error: { type: "overloaded_error", message } }),
  refusal: (status, message, headers) =>
    refused(
      status,
      { type: "error", error: { type: refusal_types[status], message }, request_id: "req_fake01" },
      { "request-id": "req_fake01", ...headers },
    ),
  // The results of tools in a request.
  results_in: ({ messages }) =>
    messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id: id, content }) => ({ id, text: JSON.stringify(content) })),
};
