const CODE_SPAN = /`([^`]+)`/g;
const LINK = /\[\[[^\]]+\]\]/g;
const EXTENSION =
  "tsx?|[cm]?[jt]s|jsx|json[c5]?|ya?ml|toml|md|mdx|txt|py|rs|go|java|kts?|rb|php|cs|cpp|cc|c|h|hpp|swift|scala|sql|css|scss|html|vue|svelte|proto|graphql|xml|ini|cfg|conf|lock|env|gradle|ex|exs|erl|hs|lua|dart|r|jl|zig|snap|csv|tf";
/** Files, identifiers, calls and options: what a text about code names. */
const CODE_WORD = new RegExp(
  [
    `(?:[\\w@.-]+/)+[\\w@.*-]*`,
    `[\\w@-][\\w.-]*\\.(?:${EXTENSION})\\b`,
    `\\.[a-z][\\w-]*(?:rc|ignore|config)\\b`,
    `\\b(?:Dockerfile|Makefile|Cargo|Gemfile|Procfile|Jenkinsfile)\\b`,
    `\\b[a-z]+(?:[A-Z][a-z0-9]*)+\\b`,
    `\\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\\b`,
    `\\b[A-Za-z]\\w*_\\w+\\b`,
    `\\b[\\w.]+\\(\\)`,
    // A member, unless it is the verb of a clause: `Worker.stop` is empty.
    `\\b[A-Z]\\w*\\.[a-z]\\w*\\b(?!\\s+(?:the|an?|your|my|our|all|any|every|each|this|that|these|those|it|them|no)\\b)`,
    `\\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\\b`,
  ].join("|"),
  "g",
);

/** Spans of code, and words that look like code, as they are written. */
export function codeTokens(text: string): readonly string[] {
  const spans = [...text.matchAll(CODE_SPAN)].flatMap(([, span = ""]) => span.trim());
  const words = text.replaceAll(CODE_SPAN, " ").match(CODE_WORD) ?? [];
  return [...spans, ...words].filter((token) => token !== "");
}

/** The prose of a text: code is replaced by a word that no pattern matches. */
export function withoutCode(text: string): string {
  return [LINK, CODE_SPAN, CODE_WORD].reduce(
    (prose, pattern) => prose.replaceAll(pattern, " codespan "),
    text,
  );
}
