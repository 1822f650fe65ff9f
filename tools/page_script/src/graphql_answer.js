const message_chars = 1000;
const parse = (answer) => {
  try {
    return answer.trim ? JSON.parse(answer) : answer;
  } catch {
    return undefined;
  }
};

// The errors that a GraphQL answer, a text or what was parsed of it, holds, when it holds some:
// `members` for an entry, and a `text` that shows them.
export const read_graphql_errors = (answer) => {
  const answers = [parse(answer)].flat();
  const errors = answers.flatMap((each) => (Array.isArray(each?.errors) ? each.errors : []));
  if (!errors.length) return undefined;
  const [{ message, extensions } = {}] = errors.filter((error) => error instanceof Object);
  return {
    members: {
      error: `GraphQL: ${`${message}`.slice(0, message_chars)}`,
      graphql_errors: errors.length,
      graphql_code: extensions?.code,
    },
    text: JSON.stringify({ errors }),
  };
};
