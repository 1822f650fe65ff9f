import { start_http_server } from "./http_server.mjs";
import { wait_until } from "./wait_until.mjs";

const lists = ["entries", "bodies", "events", "actions", "snapshots"];

// An engine that only records: serves the page script and keeps every POST.
export const start_fake_engine = async (script) => {
  const posts = [];
  const next_answers = [];

  const answer_post = (request, response, body) => {
    const [status, headers] = next_answers.shift() ?? [200, {}];
    posts.push({ route: request.url, headers: request.headers, body, status });
    response.writeHead(status, headers).end("{}");
  };

  const { origin, port, stop } = await start_http_server((request, response, body) => {
    response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "*");
    response.setHeader("Access-Control-Expose-Headers", "Retry-After");
    if (request.method == "POST") return answer_post(request, response, body);
    if (request.method == "OPTIONS") {
      response.setHeader("Access-Control-Allow-Headers", "Content-Type, Content-Encoding");
      return response.writeHead(204).end();
    }
    if (request.url != "/gasoline.js") return response.writeHead(404).end();
    response.setHeader("Content-Type", "text/javascript; charset=utf-8");
    return response.end(script);
  });

  const documents = (route) =>
    posts
      .filter((post) => post.route == `/${route}` && post.status == 200)
      .map(({ body }) => JSON.parse(body));

  const entries = (route) =>
    documents(route).flatMap((document) => document[lists.find((list) => list in document)]);

  // The first entry of a route that `matches`, as soon as it is there.
  const entry = (route, matches, timeout_ms) =>
    wait_until(
      () => entries(route).find(matches),
      () => `no such entry of ${route} among ${JSON.stringify(entries(route))}`,
      timeout_ms,
    );

  // The next POSTs are answered with these [status, headers].
  const answer_next = (...answers) => next_answers.push(...answers);

  return { origin, port, stop, posts, documents, entries, entry, answer_next };
};
