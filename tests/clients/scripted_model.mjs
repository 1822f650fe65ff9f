// A scripted stand-in for the model services that coding agents talk to: Anthropic Messages,
// OpenAI Responses, OpenAI Chat Completions and Gemini, streamed or not, on a loopback port.
// A step is {text}, {tool, args}, {shell}, {read} or {calls: [steps]}; before() runs ahead of the
// answer, after() once it is sent. Requests that carry no agent tools are auxiliary (titles,
// quota probes, summaries): they are answered sensibly and leave the script alone.
import { createServer } from "node:http";
import { gunzipSync, inflateSync, brotliDecompressSync } from "node:zlib";
import * as zlib from "node:zlib";

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
let serial = 0;
const id = (prefix) => `${prefix}${(Date.now() * 1000 + ++serial).toString(36)}`;

// Tools as the model sees them: [{name, namespace, description, schema, kind}].
export function toolsOf(protocol, body) {
  const out = [];
  const add = (t, namespace) => {
    if (!t || typeof t !== "object") return;
    if (t.type === "namespace") {
      for (const u of t.tools ?? []) add(u, t.name);
      return;
    }
    const f = t.function ?? t;
    out.push({
      name: f.name ?? t.type,
      namespace,
      kind: t.type,
      description: f.description ?? "",
      schema: f.input_schema ?? f.parameters ?? f.parametersJsonSchema ?? f.format,
      deferred: t.defer_loading,
    });
  };
  if (protocol === "gemini")
    for (const t of body.tools ?? []) for (const f of t.functionDeclarations ?? []) add(f);
  else for (const t of body.tools ?? []) add(t);
  return out;
}

const SHELL =
  /^(bash|shell|shell_command|exec_command|local_shell|run_shell_command|execute_command|run_commands?|run_terminal_command|runterminalcommand|exec|terminal)$/i;
const READ = /^(read|read_file|read_files|view|readfile|cat)$/i;

export function pick(tools, want) {
  if (want === ":shell") return tools.find((t) => SHELL.test(t.name));
  if (want === ":read") return tools.find((t) => READ.test(t.name));
  return (
    tools.find((t) => t.name === want) ??
    tools.find((t) => new RegExp(`(^|[^a-zA-Z])${want}$`).test(t.name))
  );
}

function fill(schema, known) {
  const props = schema?.properties ?? {},
    out = {};
  for (const [k, v] of Object.entries(known)) if (k in props) out[k] = v;
  for (const k of schema?.required ?? [])
    if (!(k in out)) {
      const p = props[k] ?? {},
        type = Array.isArray(p.type) ? p.type[0] : String(p.type ?? "string").toLowerCase();
      out[k] = p.enum
        ? p.enum[0]
        : type === "boolean"
          ? false
          : type === "integer" || type === "number"
            ? 1
            : type === "array"
              ? []
              : type === "object"
                ? {}
                : "scripted";
    }
  return out;
}

function argsFor(tool, step) {
  const props = tool?.schema?.properties ?? {};
  if (step.shell) {
    const list = (k) => String(props[k]?.type).toLowerCase() === "array";
    const command = list("command") ? ["bash", "-c", step.shell] : step.shell;
    const known = {
      command,
      cmd: step.shell,
      commands: list("commands") ? [step.shell] : step.shell,
      script: step.shell,
      description: "scripted step",
    };
    return fill(tool?.schema, known);
  }
  if (step.read)
    return fill(tool?.schema, {
      file_path: step.read,
      path: step.read,
      filePath: step.read,
      absolute_path: step.read,
      filepath: step.read,
      paths: [step.read],
      files: [{ path: step.read }],
    });
  return step.args ?? {};
}

// The step as calls of tools the client offers; a tool it lacks becomes text that says so.
function plan(protocol, body, step, search_by, loaded) {
  const tools = toolsOf(protocol, body),
    calls = [];
  let text = step.text ?? "";
  for (const s of step.calls ?? [step]) {
    const want = s.tool ?? (s.shell ? ":shell" : s.read ? ":read" : null);
    if (!want) continue;
    let tool = pick(tools, want);
    if (!tool && s.read && (tool = pick(tools, ":shell"))) {
      calls.push({
        name: tool.name,
        namespace: tool.namespace,
        kind: tool.kind,
        args: argsFor(tool, { shell: `cat ${s.read}` }),
        id: id("call_"),
      });
      continue;
    }
    tool ??= search_by && loaded.has(want) ? { name: search_by.called(want) } : undefined;
    const search = !tool && search_by && pick(tools, search_by.tool);
    if (search) {
      loaded.add(want);
      return {
        text: "",
        again: true,
        calls: [
          {
            name: search.name,
            namespace: search.namespace,
            kind: search.kind,
            args: search_by.args(want),
            id: id("call_"),
          },
        ],
      };
    }
    if (tool)
      calls.push({
        name: tool.name,
        namespace: tool.namespace,
        kind: tool.kind,
        args: argsFor(tool, s),
        id: id("call_"),
      });
    else text += `(the script found no tool for ${want})`;
  }
  return { text, calls, missing: text.includes("the script found no tool") };
}

export class scripted_model {
  // `search` {tool, args(name), called(name)} is how an agent's model loads a tool whose schema it was
  // not sent.
  constructor({ script = [], search, model = "scripted", idleText = "Done." } = {}) {
    Object.assign(this, {
      script,
      model,
      idleText,
      search,
      loaded: new Set(),
      requests: [],
      others: [],
      next: 0,
      missing: [],
    });
    this.isMain = (protocol, body) => toolsOf(protocol, body).length > 1;
  }
  async start(port = 0) {
    this.server = createServer((q, s) =>
      this.handle(q, s).catch((e) => {
        this.note("error", String(e.stack));
        try {
          s.statusCode = 500;
          s.end(String(e));
        } catch {}
      }),
    );
    this.server.on("upgrade", (q, socket) => {
      this.note("upgrade", q.url);
      socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    });
    await new Promise((r) => this.server.listen(port, "127.0.0.1", r));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }
  stop() {
    this.server.closeAllConnections?.();
    this.server.close();
  }
  note(kind, text) {
    this.others.push({ kind, text });
  }

  async handle(req, res) {
    const chunks = [];
    for await (const c of req) chunks.push(c);
    let raw = Buffer.concat(chunks);
    const enc = req.headers["content-encoding"];
    try {
      if (enc === "gzip") raw = gunzipSync(raw);
      else if (enc === "deflate") raw = inflateSync(raw);
      else if (enc === "br") raw = brotliDecompressSync(raw);
      else if (enc === "zstd" && zlib.zstdDecompressSync) raw = zlib.zstdDecompressSync(raw);
    } catch (e) {
      this.note("encoding", String(e));
    }
    let body = {};
    try {
      body = raw.length ? JSON.parse(raw.toString("utf8")) : {};
    } catch {
      this.note("body", `${req.url} ${raw.toString("utf8").slice(0, 200)}`);
    }
    const path = req.url.replace(/\?.*/, "").replace(/\/{2,}/g, "/");
    const json = (o, status = 200) => {
      res.writeHead(status, { "content-type": "application/json" });
      res.end(JSON.stringify(o));
    };

    if (path.endsWith("/count_tokens")) return json({ input_tokens: Math.ceil(raw.length / 4) });
    if (path.endsWith(":countTokens")) return json({ totalTokens: Math.ceil(raw.length / 4) });
    if (path.endsWith("/messages") && req.method === "POST")
      return this.answer("anthropic", body, req, res, json, body.stream === true);
    if (path.endsWith("/responses") && req.method === "POST")
      return this.answer("responses", body, req, res, json, body.stream === true);
    if (path.endsWith("/chat/completions"))
      return this.answer("chat", body, req, res, json, body.stream === true);
    if (path.endsWith(":streamGenerateContent"))
      return this.answer("gemini", body, req, res, json, true);
    if (path.endsWith(":generateContent"))
      return this.answer("gemini", body, req, res, json, false);
    if (/\/models(\/[^/]*)?$/.test(path) && req.method === "GET") {
      const m = {
        id: this.model,
        object: "model",
        type: "model",
        display_name: this.model,
        name: `models/${this.model}`,
        created: 1,
        owned_by: "scripted",
      };
      this.note("models", req.url);
      return json({
        object: "list",
        data: [m],
        models: [],
        has_more: false,
        first_id: m.id,
        last_id: m.id,
      });
    }
    this.note("other", `${req.method} ${req.url} ${raw.toString("utf8").slice(0, 300)}`);
    return json({}, req.method === "HEAD" || req.method === "GET" ? 200 : 404);
  }

  async answer(protocol, body, req, res, json, stream) {
    const main = this.isMain(protocol, body, req),
      n = this.requests.length;
    const entry = { number: n, at: Date.now(), protocol, path: req.url, main, step: null, body };
    this.requests.push(entry);
    let step,
      k = null;
    if (main) {
      k = this.next++;
      step = this.script[k] ?? { text: this.idleText };
    } else step = { text: auxiliary(body) };
    entry.step = k;
    if (typeof step === "function") step = await step(entry, this);
    let p = plan(protocol, body, step, this.search, this.loaded);
    if (p.again) {
      this.next--;
      step = {};
    } else await step.before?.(entry, this);
    if (p.missing) this.missing.push({ step: k, text: p.text });
    entry.answered = Date.now();
    entry.calls = p.calls.map((c) => (c.namespace ? `${c.namespace}/${c.name}` : c.name));
    const model = body.model ?? this.model;
    const text = p.text || (p.calls.length ? "" : this.idleText);
    const usage = { in: 100, out: 20 };
    if (stream)
      res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const ev = (type, o) =>
      res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...o })}\n\n`);
    const data = (o) => res.write(`data: ${typeof o === "string" ? o : JSON.stringify(o)}\n\n`);

    if (protocol === "anthropic") {
      const content = [
        ...(text ? [{ type: "text", text }] : []),
        ...p.calls.map((c) => ({
          type: "tool_use",
          id: "toolu_" + c.id.slice(5),
          name: c.name,
          input: c.args,
        })),
      ];
      const stop = p.calls.length ? "tool_use" : "end_turn";
      const msg = {
        id: id("msg_"),
        type: "message",
        role: "assistant",
        model,
        stop_sequence: null,
      };
      const use = {
        input_tokens: usage.in,
        output_tokens: usage.out,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      };
      if (!stream) json({ ...msg, content, stop_reason: stop, usage: use });
      else {
        ev("message_start", {
          message: { ...msg, content: [], stop_reason: null, usage: { ...use, output_tokens: 1 } },
        });
        content.forEach((c, index) => {
          ev("content_block_start", {
            index,
            content_block: c.type === "text" ? { type: "text", text: "" } : { ...c, input: {} },
          });
          ev("content_block_delta", {
            index,
            delta:
              c.type === "text"
                ? { type: "text_delta", text }
                : { type: "input_json_delta", partial_json: JSON.stringify(c.input) },
          });
          ev("content_block_stop", { index });
        });
        ev("message_delta", {
          delta: { stop_reason: stop, stop_sequence: null },
          usage: { output_tokens: usage.out },
        });
        ev("message_stop", {});
        res.end();
      }
    } else if (protocol === "responses") {
      const output = [
        ...(text
          ? [
              {
                type: "message",
                id: id("msg_"),
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text, annotations: [] }],
              },
            ]
          : []),
        ...p.calls.map((c) =>
          c.kind === "custom"
            ? {
                type: "custom_tool_call",
                id: id("ctc_"),
                status: "completed",
                call_id: c.id,
                name: c.name,
                input: c.args.input ?? "",
              }
            : {
                type: "function_call",
                id: id("fc_"),
                status: "completed",
                call_id: c.id,
                name: c.name,
                ...(c.namespace ? { namespace: c.namespace } : {}),
                arguments: JSON.stringify(c.args),
              },
        ),
      ];
      const response = {
        id: id("resp_"),
        object: "response",
        created_at: Math.floor(Date.now() / 1000),
        model,
        status: "completed",
        output,
        usage: {
          input_tokens: usage.in,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: usage.out,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: usage.in + usage.out,
        },
      };
      if (!stream) json(response);
      else {
        let sequence_number = 0;
        const e = (type, o) => ev(type, { sequence_number: sequence_number++, ...o });
        e("response.created", {
          response: { ...response, status: "in_progress", output: [], usage: null },
        });
        output.forEach((item, output_index) => {
          if (item.type === "message") {
            const at = { output_index, item_id: item.id, content_index: 0 };
            e("response.output_item.added", {
              output_index,
              item: { ...item, status: "in_progress", content: [] },
            });
            e("response.content_part.added", {
              ...at,
              part: { type: "output_text", text: "", annotations: [] },
            });
            e("response.output_text.delta", { ...at, delta: text });
            e("response.output_text.done", { ...at, text });
            e("response.content_part.done", { ...at, part: item.content[0] });
          } else if (item.type === "function_call") {
            e("response.output_item.added", {
              output_index,
              item: { ...item, status: "in_progress", arguments: "" },
            });
            e("response.function_call_arguments.delta", {
              output_index,
              item_id: item.id,
              delta: item.arguments,
            });
            e("response.function_call_arguments.done", {
              output_index,
              item_id: item.id,
              arguments: item.arguments,
            });
          } else
            e("response.output_item.added", {
              output_index,
              item: { ...item, status: "in_progress" },
            });
          e("response.output_item.done", { output_index, item });
        });
        e("response.completed", { response });
        res.end();
      }
    } else if (protocol === "chat") {
      const tool_calls = p.calls.map((c, index) => ({
        index,
        id: c.id,
        type: "function",
        function: { name: c.name, arguments: JSON.stringify(c.args) },
      }));
      const finish = tool_calls.length ? "tool_calls" : "stop";
      const use = {
        prompt_tokens: usage.in,
        completion_tokens: usage.out,
        total_tokens: usage.in + usage.out,
      };
      const base = { id: id("chatcmpl_"), created: Math.floor(Date.now() / 1000), model };
      if (!stream)
        json({
          ...base,
          object: "chat.completion",
          choices: [
            {
              index: 0,
              finish_reason: finish,
              message: {
                role: "assistant",
                content: text || null,
                ...(tool_calls.length
                  ? { tool_calls: tool_calls.map(({ index, ...c }) => c) }
                  : {}),
              },
            },
          ],
          usage: use,
        });
      else {
        const c = (delta, finish_reason = null) =>
          data({
            ...base,
            object: "chat.completion.chunk",
            choices: [{ index: 0, delta, finish_reason }],
          });
        c({ role: "assistant", content: text || (tool_calls.length ? null : "") });
        if (tool_calls.length) c({ tool_calls });
        c({}, finish);
        data({ ...base, object: "chat.completion.chunk", choices: [], usage: use });
        data("[DONE]");
        res.end();
      }
    } else {
      const parts = [
        ...(text ? [{ text }] : []),
        ...p.calls.map((c) => ({ functionCall: { name: c.name, args: c.args } })),
      ];
      const out = {
        candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
        usageMetadata: {
          promptTokenCount: usage.in,
          candidatesTokenCount: usage.out,
          totalTokenCount: usage.in + usage.out,
        },
        modelVersion: model,
        responseId: id("r"),
      };
      if (!stream) json(out);
      else {
        data(out);
        res.end();
      }
    }
    step.after?.(entry, this);
  }
}

// What a small side request expects: JSON where a schema or the wording asks for it, else a short text.
function auxiliary(body) {
  const schema =
    body.generationConfig?.responseJsonSchema ??
    body.generationConfig?.responseSchema ??
    body.response_format?.json_schema?.schema ??
    body.text?.format?.schema ??
    body.output_config?.format?.schema;
  if (schema) return JSON.stringify(sample(schema));
  const s = JSON.stringify(body);
  if (/isNewTopic/.test(s)) return '{"isNewTopic":false,"title":null}';
  if (/next_speaker/.test(s)) return '{"reasoning":"done","next_speaker":"user"}';
  if (/"title"|\\"title\\"/.test(s) && /json/i.test(s)) return '{"title":"Scripted run"}';
  return "Scripted run";
}
function sample(s) {
  const type = Array.isArray(s?.type) ? s.type[0] : String(s?.type ?? "").toLowerCase();
  if (s?.enum) return s.enum.at(-1);
  if (type === "object" || s?.properties)
    return Object.fromEntries(Object.entries(s.properties ?? {}).map(([k, v]) => [k, sample(v)]));
  if (type === "array") return [];
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return 0;
  return "scripted";
}
export { sleep };
