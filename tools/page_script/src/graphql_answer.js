const message_chars = 1000;
const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

// The errors that the text of a GraphQL answer holds, when it holds some: `members` for an entry,
// and a `text` that shows them.
export const read_graphql_errors = (text) => {
  const answers = [parse(text)].flat();
  const errors = answers.flatMap((answer) => (Array.isArray(answer?.errors) ? answer.errors : []));
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
