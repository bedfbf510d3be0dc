const MAX_HEADER_CHARACTERS = 16_384;

/** Where a header ends and a body begins, before either is parsed. */
export type SplitFrontMatter =
  | { readonly kind: "none"; readonly body: string }
  | { readonly kind: "header"; readonly header: string; readonly body: string }
  | { readonly kind: "broken"; readonly message: string; readonly line: number };

/** Finds the header, whose first and last line are exactly `---`. Expects LF line ends and no BOM. */
export function splitFrontMatter(text: string): SplitFrontMatter {
  // Four dashes are a thematic break, not a header.
  if (!text.startsWith("---") || text.startsWith("----")) return { kind: "none", body: text };
  const firstEnd = text.indexOf("\n");
  const first = firstEnd === -1 ? text : text.slice(0, firstEnd);
  if (first !== "---") {
    const found = JSON.stringify(first.slice(0, 40));
    return broken(`The header begins with ${found}; its first line must be exactly ---.`, 1);
  }
  // From the line end on, because an empty header closes immediately.
  const close = text.indexOf("\n---", firstEnd);
  if (close === -1) return broken("The header that begins with --- never ends.", 1);
  const header = text.slice(firstEnd + 1, close + 1);
  if (header.length > MAX_HEADER_CHARACTERS) {
    return broken(`The header has more than ${MAX_HEADER_CHARACTERS} characters.`, 1);
  }
  const lineEnd = text.indexOf("\n", close + 1);
  const last = text.slice(close + 1, lineEnd === -1 ? text.length : lineEnd);
  if (last !== "---") {
    const line = text.slice(0, close + 1).split("\n").length;
    return broken(
      `The header ends with ${JSON.stringify(last.slice(0, 40))}; its last line must be exactly ---.`,
      line,
    );
  }
  return { kind: "header", header, body: lineEnd === -1 ? "" : text.slice(lineEnd + 1) };
}

function broken(message: string, line: number): SplitFrontMatter {
  return { kind: "broken", message, line };
}
