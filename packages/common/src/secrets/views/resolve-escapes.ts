import { createView, type Replacement, type TextView } from "./text-view.ts";

// How code and markup write one text in several pieces or with other characters: `%3A`, `&#58;`, `&colon;`, `\u003A`, a
// line that a backslash continues, and `"…" + "…"`, also with the operators of PHP, Lua, SQL, Visual Basic and Haskell.
const ESCAPE = new RegExp(
  [
    String.raw`%(?<percent>[2-7][0-9A-Fa-f])`,
    String.raw`&#(?<decimal>\d{1,6});`,
    String.raw`&#[xX](?<entity>[0-9A-Fa-f]{1,5});`,
    String.raw`&(?<named>[A-Za-z]{2,8});`,
    String.raw`\\(?:x|u00|u\{)(?<code>[2-7][0-9A-Fa-f])\}?`,
    String.raw`(?<=[^\s\\])(?<continued>\\\r?\n[ \t]{0,80})`,
    // The first quote ends a string: in `split(".")`, nothing precedes it.
    String.raw`(?<=[^\s(,=:[{"'\x60])(?<quote>["'\x60])(?:[ \t]{0,8}\r?\n)?[ \t]{0,80}(?:\+\+?|\.\.?|&|\|\||<>)[ \t]{0,8}(?:\r?\n[ \t]{0,80})?\k<quote>`,
  ].join("|"),
  "g",
);

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  ast: "*",
  bsol: "\\",
  colon: ":",
  comma: ",",
  commat: "@",
  dollar: "$",
  equals: "=",
  excl: "!",
  gt: ">",
  hyphen: "-",
  lowbar: "_",
  lt: "<",
  nbsp: " ",
  num: "#",
  percnt: "%",
  period: ".",
  plus: "+",
  quest: "?",
  quot: '"',
  semi: ";",
  sol: "/",
};

// How much of the text around an escape is shown, and what separates the parts.
const REACH = 1_000;
const GAP = "\n----- another part -----\n";

/**
 * Shows the parts of a text with escapes as a program reads them: characters decoded once, continued lines and parts of
 * strings joined. Everything far from an escape is left out, because it reads the same.
 */
export function resolveEscapes(text: string): TextView {
  return createView(text, withGaps(text, findEscapes(text)));
}

function* findEscapes(text: string): Iterable<Replacement> {
  for (const match of text.matchAll(ESCAPE)) {
    const shown = resolve(match.groups ?? {});
    if (shown !== undefined)
      yield { start: match.index, end: match.index + match[0].length, shown };
  }
}

function* withGaps(text: string, escapes: Iterable<Replacement>): Iterable<Replacement> {
  let shownUntil = 0;
  for (const escape of escapes) {
    const gap = { start: shownUntil, end: nextSpace(text, escape.start - REACH), shown: GAP };
    if (gap.start < gap.end) yield gap;
    yield escape;
    shownUntil = nextSpace(text, escape.end + REACH);
  }
  if (shownUntil > 0 && shownUntil < text.length) {
    yield { start: shownUntil, end: text.length, shown: GAP };
  }
}

/** A gap does not cut words in two: `bypass` is not `pass`. */
function nextSpace(text: string, from: number): number {
  if (from <= 0) return 0;
  const space = text.slice(from, from + REACH).search(/\s/);
  return Math.min(text.length, space === -1 ? from + REACH : from + space);
}

function resolve(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { percent, decimal, entity, named, code } = groups;
  if (named !== undefined) return NAMED[named];
  const hex = percent ?? entity ?? code;
  const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (hex === undefined && decimal === undefined) return "";
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : undefined;
}
