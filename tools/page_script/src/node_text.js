// How a node of a document reads in a text.

const text_chars = 50;
const classes_shown = 3;

const text_of = (data) => JSON.stringify(`${data}`.slice(0, text_chars));

const describe_element = (element) => {
  // A form answers for its fields: `form.id` may be an element.
  const id = typeof element.id == "string" && element.id;
  const classes =
    element.getAttribute?.("class")?.trim().split(/\s+/).slice(0, classes_shown) ?? [];
  const marks = [id && `#${id}`, ...classes.map((name) => name && `.${name}`)];
  return `<${element.nodeName.toLowerCase()}${marks.filter(Boolean).join("")}>`;
};

// An element with its id and classes, a text or comment with its beginning, else the kind of node.
export const describe_node = (node) => {
  const { nodeType: type, nodeName: name } = node;
  if (type == 1) return describe_element(node);
  if (type == 2) return `${name}=${text_of(node.value)}`;
  if (type == 10) return `<!doctype ${name}>`;
  if (type == 9 || type == 11) return node.host ? "#shadow-root" : name;
  return `${name} ${text_of(node.data)}`;
};
