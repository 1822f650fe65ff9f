// What of a page some people cannot use, as axe-core finds it.

// What axe-core finds in this document; frames are asked by themselves.
const accessibility = async (most) => {
  if (!globalThis.axe) return { wants_rules: true };
  const { violations } = await axe.run(document, {
    resultTypes: ["violations"],
    elementRef: true,
    iframes: false,
  });
  const tell = ({ element, failureSummary }) => ({
    n: number_of(element),
    role: role_of(element),
    name: cut(name_of(element), 200),
    is: cut(element.outerHTML.replace(/\s+/g, " "), 160),
    fix: cut(words((failureSummary ?? "").replace(/^[^\n]*\n/, "").replace(/\n\s*/g, "; ")), 300),
  });
  return {
    rules: violations.map(({ id, impact, help, helpUrl, nodes }) => ({
      rule: id,
      impact: impact ?? "minor",
      help,
      more: helpUrl,
      count: nodes.length,
      elements: nodes.slice(0, most).map(tell),
    })),
  };
};
