// A server in the shapes of the OpenAI Chat Completions API, streaming, which others speak as well.
import { refused } from "./provider_server.mjs";

const data = (document) => `data: ${JSON.stringify(document)}\n\n`;

const chunk = (model, more) => ({
  id: "chatcmpl-fake01",
  object: "chat.completion.chunk",
  created: 1_795_000_000,
  model,
  system_fingerprint: "fp_fake",
  ...more,
});

const choice = (delta, finish_reason = null) => ({
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});

const refusal_types = {
  400: "invalid_request_error",
  401: "invalid_api_key",
  429: "rate_limit_exceeded",
  500: "server_error",
  529: "overloaded",
};

const tool_deltas = ({ id, name, pieces }, index) => [
  { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
  ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
];

// The deltas of an answer: reasoning as local servers send it, text, tool calls.
const deltas_of = (blocks) => {
  let tools = 0;
  return blocks.flatMap((block) => {
    if (block.type === "tool_use") return tool_deltas(block, tools++);
    const key = block.type === "thinking" ? "reasoning_content" : "content";
    return block.pieces.map((piece) => ({ [key]: piece }));
  });
};

const usage_of = ({ input_tokens, output_tokens }) => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens: input_tokens + output_tokens,
});

// The events of an answer. A block is {type, pieces} with `id` and `name` for tools.
const events = ({ model = "fake", blocks, uses_tools = false, usage }) => [
  data(chunk(model, choice({ role: "assistant", content: "" }))),
  ...deltas_of(blocks).map((delta) => data(chunk(model, choice(delta)))),
  data(chunk(model, choice({}, uses_tools ? "tool_calls" : "stop"))),
  data(
    chunk(model, { choices: [], usage: usage_of(usage ?? { input_tokens: 11, output_tokens: 7 }) }),
  ),
  "data: [DONE]\n\n",
];

const error_of = (type, message) => ({ error: { message, type, param: null, code: type } });

export const openai = {
  provider: "openai",
  path: "/v1/chat/completions",
  base_url: (origin) => `${origin}/v1`,
  key_in: ({ authorization }) => authorization?.replace("Bearer ", ""),
  events,
  error_event: (message) => data(error_of("server_error", message)),
  refusal: (status, message, headers) =>
    refused(status, error_of(refusal_types[status], message), headers),
  // The results of tools in a request.
  results_in: ({ messages }) =>
    messages
      .filter(({ role }) => role === "tool")
      .map(({ tool_call_id: id, content }) => ({ id, text: JSON.stringify(content) })),
};
