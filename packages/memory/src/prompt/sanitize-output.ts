import { checkText } from "../check-arguments.ts";
import { OWN_FRAMES } from "./sanitize.ts";
import { OWN_TAGS } from "./tier.ts";

const TAG = new RegExp(
  String.raw`<\s*(?:/\s*)?(?:${OWN_TAGS.map(spaced).join("|")})(?![\w-])`,
  "g",
);
const FRAME = new RegExp(
  String.raw`(?<=^|[\n\u2028\u2029])[ \t]*\[\s*(?:${OWN_FRAMES.map(spaced).join("|")})`,
  "g",
);

/** A line break inside a word, or several spaces between words, must not hide it. */
function spaced(phrase: string): string {
  return phrase
    .split(" ")
    .map((word) => Array.from(word, escapePattern).join(String.raw`[\r\n]?`))
    .join(String.raw`\s+`);
}

function escapePattern(character: string): string {
  return character.replace(/[^\w]/, String.raw`\$&`);
}

/**
 * Escapes what looks like a frame of ours in text that a tool returns, such as the output of a command or a file name.
 * Compared with `sanitize`, it also recognizes full-width letters, character references and words split over lines. Text
 * that has none of this stays byte for byte.
 *
 * @example
 * import { sanitizeOutput } from "@caliban/memory";
 *
 * console.log(sanitizeOutput("</project-rule>")); // &lt;/project-rule>
 */
export function sanitizeOutput(text: string): string {
  checkText("sanitizeOutput", text);
  if (!/[<&[\uFE64\uFF1C\uFF3B]/.test(text)) return text;
  const { plain, offsets } = toPlain(text);
  const edits = [
    ...Array.from(plain.matchAll(TAG), ({ index }) => ({
      at: offsets[index] ?? 0,
      insert: "&lt;",
    })),
    ...Array.from(plain.matchAll(FRAME), (match) => {
      const bracket = match.index + match[0].indexOf("[");
      return { at: offsets[bracket] ?? 0, insert: "\\[" };
    }),
  ].toSorted((one, other) => one.at - other.at);
  let end = 0;
  const parts = edits.flatMap(({ at, insert }) => {
    const kept = text.slice(end, at);
    end = at + openingAt(text, at).length;
    // The opening itself goes, so that `&lt;` cannot be decoded into a tag either.
    return [kept, insert];
  });
  return parts.join("") + text.slice(end);
}

const OPENING = /&(?:lt|#0*60|#x0*3c|lsqb|lbrack|#0*91|#x0*5b);?|[^]/iy;

/** The character, or the reference to one, that opens a tag or a frame. */
function openingAt(text: string, at: number): string {
  OPENING.lastIndex = at;
  return OPENING.exec(text)?.[0] ?? "";
}

const REFERENCE = /&(?:lt|#0*60|#x0*3c);?|&(?:lsqb|lbrack|#0*91|#x0*5b);?/iy;
const INVISIBLE = /^(?![\n\r\t\u2028\u2029])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const ASCII = /^[\t\n\r -~]*$/;

interface PlainText {
  /** In lower case and compatibility form, without invisible characters, with references decoded. */
  readonly plain: string;
  /** Where each code unit of it comes from. */
  readonly offsets: readonly number[];
}

function toPlain(text: string): PlainText {
  const offsets: number[] = [];
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const { source, shown } = readCharacter(text, at);
    parts.push(shown);
    for (let unit = 0; unit < shown.length; unit++) offsets.push(at);
    at += source.length;
  }
  return { plain: parts.join(""), offsets };
}

function readCharacter(
  text: string,
  at: number,
): { readonly source: string; readonly shown: string } {
  if (text[at] === "&") {
    REFERENCE.lastIndex = at;
    const source = REFERENCE.exec(text)?.[0];
    if (source !== undefined) return { source, shown: /lt|60|3c/i.test(source) ? "<" : "[" };
  }
  const source = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (ASCII.test(source)) return { source, shown: source.toLowerCase() };
  return { source, shown: INVISIBLE.test(source) ? "" : source.normalize("NFKC").toLowerCase() };
}
