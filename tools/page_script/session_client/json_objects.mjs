// JSON of others, which may be anything.

export const is_object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// The object that a text stands for; undefined: it stands for none.
export const parse_object = (text) => {
  try {
    const value = JSON.parse(text);
    return is_object(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
