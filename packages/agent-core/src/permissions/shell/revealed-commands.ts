/**
 * Lists what a command line turns into once values that it contains itself are filled in: variables it sets, `$(echo rm)`,
 * `$'\x72m'`, and text that it decodes. Covers ways of writing that need no earlier command, not everything a shell can
 * compute. Each text is at most a few times as long as the command.
 */
export function revealedCommands(command: string): readonly string[] {
  const plain = decodeAnsiQuotes(command.replace(SHELL_VARIABLE, "sh"));
  const echoed = withEchoes(plain);
  const filled = fillVariables(fillVariables(echoed));
  const texts = new Set([plain, echoed, filled, ...decodedTexts(filled), ...otherLines(filled)]);
  texts.delete(command);
  return [...texts];
}

/** Line ends that `printf` would write, and lists of words in other languages: `["rm", "x"]`. */
function otherLines(text: string): readonly string[] {
  return [
    ...(PRINTS.test(text) ? [text.replaceAll(String.raw`\n`, "\n")] : []),
    ...(LANGUAGES.test(text) ? [text.replace(/[,[\]]+/g, " ")] : []),
  ];
}

const PRINTS = /\b(?:printf|echo)\b/;
const LANGUAGES = /\b(?:python[\d.]*|perl|ruby|php|node|deno|bun|tclsh)\s/;

const SHELL_VARIABLE = /\$(?:SHELL|BASH|0)\b|\$\{(?:SHELL|BASH|0)\}/g;

const ANSI_QUOTED = /\$'((?:\\[^]|[^'\\])*)'/g;
const ANSI_ESCAPE =
  /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,6})|([0-7]{1,3})|([^]))/g;

function decodeAnsiQuotes(text: string): string {
  return text.replace(ANSI_QUOTED, (_, quoted: string) =>
    quoted.replace(ANSI_ESCAPE, (...[, byte, short, long, octal, other]: readonly string[]) => {
      const hex = byte ?? short ?? long;
      const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
      if (Number.isNaN(code)) return other ?? "";
      return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : "";
    }),
  );
}

const MAX_CODE_POINT = 0x10_ff_ff;

const ECHO = String.raw`(?:echo|printf)(?:\s+(?:-\w+|%s|'%s'|"%s"))*\s+`;
const ECHOED = new RegExp(String.raw`\$\(\s*${ECHO}([^()]*)\)|\x60\s*${ECHO}([^\x60]*)\x60`, "g");

function withEchoes(text: string): string {
  return text.replace(ECHOED, (...[, first, second]: readonly (string | undefined)[]) =>
    (first ?? second ?? "").trim(),
  );
}

const NAME = "[A-Za-z_]\\w{0,63}";
// Longer values are not names of commands.
const VALUE = String.raw`("[^"]{0,64}"|'[^']{0,64}'|[^\s;&|<>()]{0,64})`;
const ASSIGNED = new RegExp(
  [
    String.raw`(?<![\w$-])(${NAME})=${VALUE}`,
    String.raw`\bprintf\s+-v\s+(${NAME})\s+${VALUE}`,
    String.raw`\bread\s+(?:-\w+\s+)?(${NAME})\s*<<<\s*${VALUE}`,
    String.raw`\bfor\s+(${NAME})\s+in\s+${VALUE}`,
  ].join("|"),
  "g",
);
const REFERENCE = /\$(?:([A-Za-z_]\w{0,63})|\{([A-Za-z_]\w{0,63})\})/g;
const MAX_FILLED = 1_000;

/** Replaces `$a` by what the command line itself assigns to it. */
function fillVariables(text: string): string {
  if (!text.includes("$")) return text;
  const values = new Map<string, string>();
  for (const [, ...pairs] of text.matchAll(ASSIGNED)) {
    const index = pairs.findIndex((each) => each !== undefined);
    const [name = "", value = ""] = pairs.slice(index, index + 2);
    values.set(name, value.replace(/^(["'])([^]*)\1$/, "$2"));
  }
  if (values.size === 0) return text;
  let count = 0;
  return text.replace(REFERENCE, (reference, plain?: string, braced?: string) => {
    const value = values.get(plain ?? braced ?? "");
    count += 1;
    return value === undefined || count > MAX_FILLED ? reference : value;
  });
}

const DECODERS = /\b(?:base64|base32|openssl|xxd|rev|uudecode)\b/;
const ENCODED = /[\w+/=-]{4,4096}/g;
const MAX_DECODED = 64;

/** What the command line decodes, if it has a program for that. */
function decodedTexts(text: string): readonly string[] {
  if (!DECODERS.test(text)) return [];
  const words = [...new Set(text.match(ENCODED))].slice(0, MAX_DECODED);
  const reversed = /\brev\b/.test(text) ? [Array.from(text).toReversed().join("")] : [];
  return [...reversed, ...words.flatMap((word) => [fromBase64(word), fromHex(word)].flat())];
}

function fromBase64(word: string): readonly string[] {
  try {
    return printable(atob(word.replaceAll("-", "+").replaceAll("_", "/")));
  } catch (error) {
    if (error instanceof DOMException) return [];
    throw error;
  }
}

function fromHex(word: string): readonly string[] {
  const digits = /^(?:[\dA-Fa-f]{2})+$/.test(word) ? (word.match(/../g) ?? []) : [];
  return printable(String.fromCharCode(...digits.map((pair) => Number.parseInt(pair, 16))));
}

function printable(text: string): readonly string[] {
  return /^[\t\n\r -~]{2,}$/.test(text) ? [text] : [];
}
