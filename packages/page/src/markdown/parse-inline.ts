/** A piece of a line. Nothing in it can run: a link is a web address or the name of a topic, and all else is text. */
export type Inline =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly address: string }
  | { readonly kind: "topic"; readonly text: string; readonly slug: string };

/** A longer line is shown as it is: no one marks up a line of this length. */
const MAX_LINE_CHARACTERS = 4_000;

// Each repetition is bounded and excludes its own end, so that the time is linear.
const PIECE =
  /`([^`\n]{1,500})`|\[\[([^[\]\n]{1,200})\]\]|!?\[([^[\]\n]{0,300})\]\(([^()\s]{1,500})\)|\*\*([^*\n]{1,500})\*\*|\*([^*\s][^*\n]{0,300})\*|(https?:\/\/[^\s<>()"'`]{1,500})/g;

/** Splits a line into its pieces. HTML is text like any other. */
export function parseInline(line: string): readonly Inline[] {
  if (line.length > MAX_LINE_CHARACTERS) return [{ kind: "text", text: line }];
  const pieces: Inline[] = [];
  let end = 0;
  for (const match of line.matchAll(PIECE)) {
    if (match.index > end) pieces.push({ kind: "text", text: line.slice(end, match.index) });
    pieces.push(pieceOf(match));
    end = match.index + match[0].length;
  }
  if (end < line.length) pieces.push({ kind: "text", text: line.slice(end) });
  return pieces;
}

function pieceOf([
  whole,
  code,
  topic,
  label,
  target,
  strong,
  emphasis,
  bare,
]: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (topic !== undefined) return { kind: "topic", text: topic, slug: topic };
  if (strong !== undefined) return { kind: "strong", text: strong };
  if (emphasis !== undefined) return { kind: "emphasis", text: emphasis };
  if (bare !== undefined) return { kind: "link", text: bare, address: bare };
  // An image is not loaded, and a link to anything but a web page stays as it is written.
  if (target === undefined || whole.startsWith("!") || !isWebAddress(target))
    return { kind: "text", text: whole };
  return {
    kind: "link",
    text: label === undefined || label === "" ? target : label,
    address: target,
  };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[\w[]/i.test(text);
}
