import assert from "node:assert/strict";

import { open_stream } from "./event_stream.mjs";

export const accept_both = "application/json, text/event-stream";
export const latest = "2025-11-25";
export const modern = "2026-07-28";

let next_id = 1;

export const request_of = (method, params, id = next_id++) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params !== undefined && { params }),
});

export const notification_of = (method, params) => ({
  jsonrpc: "2.0",
  method,
  ...(params !== undefined && { params }),
});

// Posts one body to the MCP endpoint and reads all of the response.
export const post_mcp = async (port, body, headers = {}, path = "/mcp") => {
  const stream = await open_stream(port, {
    method: "POST",
    path,
    body,
    headers: { accept: accept_both, ...headers },
  });
  await stream.ended();
  const messages = stream.is_events
    ? stream.messages
    : stream.text.startsWith("{")
      ? [JSON.parse(stream.text)]
      : [];
  return {
    status: stream.status,
    headers: stream.headers,
    text: stream.text,
    events: stream.events,
    messages,
    response: messages.find((m) => "id" in m && !("method" in m)),
  };
};

export const initialize_of = (version = latest, capabilities = {}, name = "raw http") =>
  request_of("initialize", {
    protocolVersion: version,
    capabilities,
    clientInfo: { name, version: "1" },
  });

// A session of the legacy Streamable HTTP revisions.
export class http_session {
  constructor(port, version, id, response) {
    this.port = port;
    this.version = version;
    this.id = id;
    this.initialized = response;
  }

  static async open(port, { version = latest, capabilities, name, headers = {} } = {}) {
    const answer = await post_mcp(port, initialize_of(version, capabilities, name), headers);
    assert.equal(answer.status, 200, answer.text);
    const id = answer.headers["mcp-session-id"];
    assert.match(id, /^[\x21-\x7e]{16,}$/);
    const session = new http_session(port, version, id, answer.response);
    const noted = await session.post(notification_of("notifications/initialized"));
    assert.equal(noted.status, 202, noted.text);
    return session;
  }

  get headers() {
    return { "mcp-session-id": this.id, "mcp-protocol-version": this.version };
  }

  post(body, headers) {
    return post_mcp(this.port, body, { ...this.headers, ...headers });
  }

  // The whole answer to a request.
  request(method, params, id) {
    return this.post(request_of(method, params, id));
  }

  async call(name, args) {
    const { response, text } = await this.request("tools/call", { name, arguments: args });
    assert.ok(response?.result, text);
    return response.result;
  }

  async configure(args) {
    const result = await this.call("configure", args);
    assert.ok(!result.isError, result.content[0].text);
    return JSON.parse(result.content[0].text);
  }

  // The response to a request while it streams.
  open(body, headers) {
    return open_stream(this.port, {
      method: "POST",
      body,
      headers: { accept: accept_both, ...this.headers, ...headers },
    });
  }

  // The stream of unsolicited messages, or the rest of an older stream.
  listen(headers) {
    return open_stream(this.port, {
      headers: { accept: "text/event-stream", ...this.headers, ...headers },
    });
  }

  async end() {
    const stream = await open_stream(this.port, { method: "DELETE", headers: this.headers });
    await stream.ended();
    return stream;
  }
}

const prefix = "io.modelcontextprotocol/";

// The `_meta` of a 2026-07-28 request.
export const modern_meta = ({
  version = modern,
  capabilities = {},
  name = "raw modern",
  log_level,
  token,
} = {}) => ({
  [`${prefix}protocolVersion`]: version,
  [`${prefix}clientCapabilities`]: capabilities,
  [`${prefix}clientInfo`]: { name, version: "1" },
  ...(log_level && { [`${prefix}logLevel`]: log_level }),
  ...(token !== undefined && { progressToken: token }),
});

const named_by = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };

// A 2026-07-28 request: its body and the headers that have to agree with it.
export const modern_request = (method, params = {}, options = {}) => ({
  body: request_of(method, { ...params, _meta: modern_meta(options) }, options.id),
  headers: {
    accept: accept_both,
    "mcp-protocol-version": options.version ?? modern,
    "mcp-method": method,
    ...(named_by[method] && { "mcp-name": params[named_by[method]] }),
  },
});

export const post_modern = (port, method, params, options = {}) => {
  const { body, headers } = modern_request(method, params, options);
  return post_mcp(port, body, { ...headers, ...options.headers });
};

export const open_modern = (port, method, params, options = {}) => {
  const { body, headers } = modern_request(method, params, options);
  return open_stream(port, { method: "POST", body, headers: { ...headers, ...options.headers } });
};

export const assert_rpc_error = (answer, status, code, id) => {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.response?.error?.code, code, answer.text);
  assert.match(answer.response.error.message, /\w/);
  if (id !== undefined) assert.deepEqual(answer.response.id, id);
};
