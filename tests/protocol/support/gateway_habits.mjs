// How servers that speak OpenAI's stream speak it in their own way: the events of one answer each,
// and what is meant.
const data = (document) => `data: ${JSON.stringify(document)}\n\n`;
const done = "data: [DONE]\n\n";
const delta = (fields, finish_reason = null) =>
  data({ choices: [{ index: 0, delta: fields, finish_reason }] });
const call = (index, id, name, args) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: "function",
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});
const calls = (...list) => delta({ tool_calls: list });
const said = (text) => delta({ content: text });
const smile = Buffer.from("😀");
const said_bytes = (...parts) =>
  Buffer.concat(
    ['data: {"choices":[{"index":0,"delta":{"content":"', ...parts, '"}}]}\n\n'].map((part) =>
      Buffer.from(part),
    ),
  );
const end = (reason = "stop") => delta({}, reason);
const tools_ended = end("tool_calls");
const look = (file) => ["list_files", { path: file }];

// `tools`: name and input of each call, in order. `text`, `thinking`: what is said. `usage`: input
// and output tokens. `failed`: the class of the failure.
export const habits = [
  {
    name: "two calls at index 0 with ids of their own, in two events (Ollama)",
    events: [
      calls(call(0, "call_a", "list_files", '{"path":"a"}')),
      calls(call(0, "call_b", "list_files", '{"path":"b"}')),
      tools_ended,
      done,
    ],
    tools: [look("a"), look("b")],
  },
  {
    name: "two calls at index 0 with ids of their own, in one event",
    events: [
      calls(
        call(0, "call_a", "list_files", '{"path":"a"}'),
        call(0, "call_b", "list_files", '{"path":"b"}'),
      ),
      tools_ended,
      done,
    ],
    tools: [look("a"), look("b")],
  },
  {
    name: "calls in pieces, the second at the index of the first",
    events: [
      calls(call(0, "call_a", "list_files", "")),
      calls(call(0, undefined, undefined, '{"path":')),
      calls(call(0, undefined, undefined, '"a"}')),
      calls(call(0, "call_b", "list_files", '{"pa')),
      calls(call(0, undefined, undefined, 'th":"b"}')),
      tools_ended,
      done,
    ],
    tools: [look("a"), look("b")],
  },
  {
    name: "no ids, the same index, another name (Gemini's bridge)",
    events: [
      calls(call(0, "", "list_files", '{"path":"a"}')),
      calls(call(0, "", "read_file", '{"path":"b"}')),
      end(),
      done,
    ],
    tools: [look("a"), ["read_file", { path: "b" }]],
  },
  {
    name: "no ids, no index, the same name twice",
    events: [
      calls(call(undefined, undefined, "list_files", '{"path":"a"}')),
      calls(call(undefined, undefined, "list_files", '{"path":"b"}')),
      end(),
      done,
    ],
    tools: [look("a"), look("b")],
  },
  {
    name: "the same id and index for two whole calls",
    events: [
      calls(call(0, "call_0", "list_files", '{"path":"a"}')),
      calls(call(0, "call_0", "list_files", '{"path":"b"}')),
      tools_ended,
      done,
    ],
    tools: [look("a"), look("b")],
  },
  {
    name: "a new id with each piece of one call (older vLLM)",
    events: [
      calls(call(0, "chatcmpl-tool-1", "list_files", "")),
      calls(call(0, "chatcmpl-tool-2", undefined, '{"path":')),
      calls(call(0, "chatcmpl-tool-3", undefined, '"a"}')),
      tools_ended,
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "id and name repeated with each piece",
    events: [
      calls(call(0, "call_a", "list_files", '{"path":')),
      calls(call(0, "call_a", "list_files", '"a"}')),
      tools_ended,
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "the name of a tool in pieces",
    events: [
      calls(call(0, "call_a", "li", "")),
      calls(call(0, undefined, "st_", "")),
      calls(call(0, undefined, "files")),
      calls(call(0, undefined, undefined, '{"path":')),
      calls(call(0, undefined, undefined, '"a"}')),
      tools_ended,
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "names in pieces, of two calls, in turns, each piece with the id of its call",
    events: [
      calls(call(0, "call_a", "list"), call(1, "call_b", "read")),
      calls(call(0, "call_a", "_files"), call(1, "call_b", "_file")),
      calls(call(0, "call_a", undefined, '{"path":"a"}'), call(1, "call_b", undefined, '{"path"')),
      calls(call(1, "call_b", "", ':"b"}')),
      tools_ended,
      done,
    ],
    tools: [look("a"), ["read_file", { path: "b" }]],
  },
  {
    name: "a name in pieces, with a new id each, the last one with all of the input",
    events: [
      calls(call(0, "id-1", "list_")),
      calls(call(0, "id-2", "files", '{"path":"a"}')),
      calls(call(0, "id-3", "list_fi", "")),
      calls(call(0, "id-4", "les", '{"path":"b"}')),
      tools_ended,
      done,
    ],
    tools: [look("a"), look("b")],
  },
  {
    name: "a name that is sent anew with each letter more, without index and id",
    events: [
      calls(call(undefined, undefined, "list", "")),
      calls(call(undefined, undefined, "list_files", "")),
      calls(call(undefined, undefined, "list_files", '{"path":')),
      calls(call(undefined, undefined, "list_files", '"a"}')),
      tools_ended,
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "a name in pieces and no input",
    events: [calls(call(0, "call_a", "list_")), calls(call(0, "", "files")), tools_ended, done],
    tools: [["list_files", {}]],
  },
  {
    name: "id before name, name before input, each alone",
    events: [
      calls({ index: 0, id: "call_a" }),
      calls({ index: 0, function: { name: "list_files" } }),
      calls({ index: 0, function: { arguments: '{"path":"a"}' } }),
      tools_ended,
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "a call that is sent whole once more at the end",
    events: [
      calls(call(0, "call_a", "list_files", "")),
      calls(call(0, null, null, '{"path":')),
      calls(call(0, null, null, '"a"}')),
      calls(call(0, "call_a", "list_files", '{"path":"a"}')),
      tools_ended,
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "index null, arguments an object, said to have stopped",
    events: [
      delta({ tool_calls: [{ ...call(undefined, "x", "list_files", { path: "a" }), index: null }] }),
      end(),
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "the oldest form, function_call",
    events: [
      delta({ function_call: { name: "list_files", arguments: "" } }),
      delta({ function_call: { arguments: '{"path":"a"}' } }),
      end("function_call"),
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "no finish_reason at all",
    events: [said("Hello"), said(" there"), done],
    text: "Hello there",
  },
  {
    name: "a finish_reason with the first event",
    events: [delta({ content: "Hello" }, "stop"), said(" there"), done],
    text: "Hello there",
  },
  {
    name: "content as a list of parts, some of them thinking (Mistral)",
    events: [
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
      delta({ content: [{ type: "text", text: "Hello" }] }),
      said(" there"),
      end(),
      done,
    ],
    text: "Hello there",
    thinking: "Hm.",
  },
  {
    name: "reasoning_content (DeepSeek)",
    events: [
      delta({ role: "assistant", content: null, reasoning_content: "Hm." }),
      said("Hello there"),
      end(),
      done,
    ],
    text: "Hello there",
    thinking: "Hm.",
  },
  {
    name: "reasoning beside an empty content (OpenRouter, Ollama)",
    events: [delta({ content: "", reasoning: "Hm." }), said("Hello there"), end(), done],
    text: "Hello there",
    thinking: "Hm.",
  },
  {
    name: "the whole message at once, without a delta",
    events: [
      data({
        choices: [
          { index: 0, message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" },
        ],
      }),
      done,
    ],
    text: "Hello there",
  },
  {
    name: "usage in every event",
    events: [
      ...["Hello", " there"].map((content, n) =>
        data({
          choices: [{ index: 0, delta: { content }, finish_reason: null }],
          usage: { prompt_tokens: 9, completion_tokens: n + 1, total_tokens: 10 + n },
        }),
      ),
      end(),
      done,
    ],
    text: "Hello there",
    usage: [9, 2],
  },
  {
    name: "usage within the choice (Moonshot)",
    events: [
      said("Hello there"),
      data({
        choices: [
          { index: 0, delta: {}, finish_reason: "stop", usage: { prompt_tokens: 9, completion_tokens: 2 } },
        ],
      }),
      done,
    ],
    text: "Hello there",
    usage: [9, 2],
  },
  {
    name: "usage after the end of the answer, without choices",
    events: [
      said("Hello there"),
      end(),
      data({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } }),
      done,
    ],
    text: "Hello there",
    usage: [9, 2],
  },
  {
    name: "usage after the last word",
    events: [
      said("Hello there"),
      end(),
      done,
      data({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } }),
    ],
    text: "Hello there",
    usage: [9, 2],
  },
  {
    name: "no empty line between events, blanks around the last word",
    events: [
      said("Hello").trimEnd() + "\n",
      said(" there").trimEnd() + "\n",
      end().trimEnd() + "\n",
      "data:  [DONE] \n\n",
    ],
    text: "Hello there",
  },
  {
    name: "an empty object first, as Anthropic's blocks begin, then the input",
    events: [
      calls(call(0, "call_a", "list_files", "{}")),
      calls(call(0, undefined, undefined, '{"path":')),
      calls(call(0, undefined, undefined, '"a"}')),
      tools_ended,
      done,
    ],
    tools: [look("a")],
  },
  {
    name: "no input: none, an empty text, an empty object, null",
    events: [
      calls(call(0, "call_a", "list_files")),
      calls(call(1, "call_b", "list_files", "")),
      calls(call(2, "call_c", "list_files", "{}")),
      calls(call(3, "call_d", "list_files", "null")),
      end("TOOL_CALLS"),
      done,
    ],
    tools: [1, 2, 3, 4].map(() => ["list_files", {}]),
  },
  {
    name: "comments, event lines, ids, CRLF",
    events: [
      ": OPENROUTER PROCESSING\r\n\r\n",
      `event: message\r\nid: 1\r\n${said("Hello").trim()}\r\n\r\n`,
      ": keep-alive\n\n",
      `event: completion\nretry: 10\n${said(" there")}`,
      end(),
      done,
    ],
    text: "Hello there",
  },
  {
    name: "a character in two events, half of its UTF-16 in each (servers in JavaScript)",
    events: [said("Hello \ud83d"), said("\ude00 there"), end(), done],
    text: "Hello 😀 there",
  },
  {
    name: "a character in two events, half of its bytes in each",
    events: [said_bytes("Hello ", smile.subarray(0, 2)), said_bytes(smile.subarray(2), " there"), end(), done],
    text: "Hello 😀 there",
  },
  {
    name: "half a character, of which no more comes",
    events: [said("Hello \ud83d"), end(), done],
    text: "Hello \ufffd",
  },
  {
    name: "an object of the kind error, then the last word (vLLM)",
    events: [
      said("Hel"),
      data({ object: "error", message: "The prompt is too long.", type: "BadRequestError", code: 400 }),
      done,
    ],
    text: "Hel",
    failed: "invalid_request",
    message: /too long/,
  },
  {
    name: "an error in the middle, then the last word",
    events: [said("Hel"), data({ error: { message: "No slot.", code: 503 } }), done],
    text: "Hel",
    failed: "overloaded",
    message: /No slot/,
  },
  {
    name: "an error that is a sentence",
    events: [said("Hel"), data({ error: "model runner has stopped" }), done],
    text: "Hel",
    failed: "server_error",
    message: /runner has stopped/,
  },
  {
    name: "an error within the choice (OpenRouter)",
    events: [
      said("Hel"),
      data({
        choices: [
          {
            index: 0,
            delta: { content: "" },
            finish_reason: "error",
            error: { code: "502", message: "Upstream broke." },
          },
        ],
      }),
      done,
    ],
    text: "Hel",
    failed: "server_error",
    message: /Upstream broke/,
  },
  {
    name: "an event of the type error",
    events: [said("Hel"), `event: error\n${data({ message: "Out of memory." })}`, done],
    text: "Hel",
    failed: "server_error",
    message: /Out of memory/,
  },
];
