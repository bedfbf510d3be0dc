import type { CodeRole, Style } from "../theme.ts";

const ROLES: Readonly<Record<string, CodeRole>> = {
  keyword: "keyword",
  literal: "keyword",
  operator: "keyword",
  "selector-tag": "keyword",
  tag: "keyword",
  section: "keyword",
  meta: "comment",
  comment: "comment",
  quote: "comment",
  string: "string",
  regexp: "string",
  char: "string",
  addition: "string",
  number: "number",
  symbol: "number",
  variable: "name",
  title: "name",
  attr: "name",
  attribute: "name",
  property: "name",
  name: "name",
  type: "type",
  built_in: "type",
  "selector-class": "type",
  "selector-id": "type",
};

const TOKEN = /<span class="([^"]*)">|<\/span>|\n|&(?:amp|lt|gt|quot|#x27);|[^<&\n]+|[<&]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** Turns marked code into styled lines. A style never crosses the end of a line. */
export function styleCode(
  html: string,
  styles: Readonly<Record<CodeRole, Style>>,
): readonly string[] {
  const lines: string[] = [];
  const roles: (CodeRole | undefined)[] = [];
  let [line, run] = ["", ""];
  const endRun = (): void => {
    const role = roles.findLast((each) => each !== undefined);
    line += role === undefined ? run : styles[role](run);
    run = "";
  };
  for (const [token, names] of html.matchAll(TOKEN)) {
    if (names !== undefined) {
      endRun();
      roles.push(roleOf(names));
    } else if (token === "</span>") {
      endRun();
      roles.pop();
    } else if (token === "\n") {
      endRun();
      lines.push(line);
      line = "";
    } else run += ENTITIES[token] ?? token;
  }
  endRun();
  return [...lines, line];
}

function roleOf(names: string): CodeRole | undefined {
  const known = names.split(" ").map((name) => ROLES[name.replace(/^hljs-/, "")]);
  return known.find((role) => role !== undefined);
}
