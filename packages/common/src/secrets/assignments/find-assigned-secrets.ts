import { type AssignedValue, isAssignedSecret } from "../values/assigned-secret.ts";
import { familyOf, KINDS, QUALIFIER, SECRET_NAME } from "./secret-name.ts";
import type { SecretSpan } from "../secret-span.ts";

const CLOSING = String.raw`\\?["'\x60\])*]{0,4}`;
const PURPOSE = String.raw`(?:[ \t](?:for|of|to|on|in|at)[ \t][\w .'@-]{1,48}?|[ \t]\([^()\n]{1,48}\))?`;
const TYPE = String.raw`(?:[ \t]{0,4}:?[ \t]{0,4}&?(?:'static[ \t])?(?:str|string|text)\b\??(?=[ \t]{0,4}=))?`;
const SEPARATOR = String.raw`(?:${[
  // `name: DB_PASSWORD` with its value below or next to it, as in lists of variables and in XML.
  String.raw`[ \t]{0,4},?[ \t]{0,4}(?:#[^\n]{0,80})?(?:\r?\n[ \t]{0,40})?(?<![\w-])["']?(?:parameter)?value["']?[ \t]{0,4}[:=][ \t]{0,4}`,
  String.raw`[ \t]{0,16}(?:[:!?]?={1,3}>?|->|→|:|>|\|\||\?\?)\*{0,3}[ \t]{0,16}`,
  String.raw`[ \t]{1,32}\|[ \t]{1,32}`,
  String.raw`[ \t]{1,4}(?:is|was)[ \t]{1,4}(?:now[ \t]{1,4}|set to[ \t]{1,4})?`,
  String.raw`(?<listed>(?<=["'])[ \t]{0,4},[ \t]{0,4})(?=["'])`,
  String.raw`(?<=--[\w-]{1,40})[ \t]{1,4}`,
  // A setter: `setPassword("…")`.
  String.raw`(?<call>\((?=["'\x60]))`,
  // A variable of Terraform.
  String.raw`[ \t]{0,4}\{[^{}]{0,240}?\bdefault[ \t]{0,4}=[ \t]{0,4}(?=")`,
  String.raw`(?<adjacent>[ \t]{1,4})(?=["'\x60])`,
].join("|")})`;
// A long value takes one step of each loop, because engines remember every step and some give up after 50,000 of them.
const VALUE = String.raw`(?:${[
  String.raw`\\["'](?<escaped>[^"'\\\s]{4,})`,
  String.raw`[bru@]?"(?<double>(?=(?:[^"\\\s]|\\\S){4})[^"\\\s]*(?:\\\S[^"\\\s]*)*)`,
  String.raw`[bru]?'(?<single>(?=(?:[^'\\\s]|\\\S){4})[^'\\\s]*(?:\\\S[^'\\\s]*)*)`,
  String.raw`\x60(?<tick>[^\x60\s]{4,})`,
  // Punctuation such as a comma ends the value only if another value follows: it may be part of a password.
  String.raw`(?<bare>(?=[^\s"'\x60<>])(?![,;&](?:[ \t]|[\w .-]{1,40}=|$))[^\s"'\x60<>,;&]*(?:[,;&](?![ \t]|[\w .-]{1,40}=|$)[^\s"'\x60<>,;&]*)*)`,
].join("|")})`;

const ASSIGNMENT = new RegExp(
  `${SECRET_NAME}${QUALIFIER}${CLOSING}${PURPOSE}${TYPE}${SEPARATOR}${VALUE}`,
  "dgim",
);

const CLOSING_QUOTES = { escaped: "\\", double: '"', single: "'", tick: "`", bare: "" } as const;
const FORMS = ["escaped", "double", "single", "tick", "bare"] as const;

const MAX_RESCAN_LENGTH = 256;

// A function that reads a password by the name of something else: `getPassword("db-staging-2")`.
const READER = /(?:get|find|read|load|fetch|reset|forgot|has|is|check|verify|compare|hash)_?$/i;
const MAX_READER_LENGTH = 12;

/** Finds values assigned to a name such as `password`, `api_key` or `client secret`, in code, data and prose. */
export function findAssignedSecrets(text: string): readonly SecretSpan[] {
  const secrets: SecretSpan[] = [];
  // A copy, because a global pattern keeps its position.
  const pattern = new RegExp(ASSIGNMENT);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const family = familyOf(match);
    const { start, ...assigned } = readAssignment(text, match);
    const end = start + assigned.value.length;
    if (family !== undefined && isAssignedSecret({ ...assigned, family })) {
      secrets.push({ kind: KINDS[family], start, end });
      continue;
    }
    // A rejected value may be the next name, as in `"password","token":"…"`. Bounded, so that a text that consists of
    // names takes linear time.
    if (end - start <= MAX_RESCAN_LENGTH) pattern.lastIndex = Math.max(start, match.index + 1);
  }
  return secrets;
}

function readAssignment(
  text: string,
  match: RegExpExecArray,
): Omit<AssignedValue, "family"> & { readonly start: number } {
  const { groups, indices } = match;
  const form = FORMS.find((name) => groups?.[name] !== undefined) ?? "bare";
  const [start, end] = indices?.groups?.[form] ?? [0, 0];
  const isQuoted = form !== "bare" && text.startsWith(CLOSING_QUOTES[form], end);
  const written = text.slice(start, end);
  return {
    start,
    value: isQuoted ? written : written.replace(/[.,:;)\]}*|\\]{1,4}$/, ""),
    isQuoted,
    isAdjacent: (groups?.["adjacent"] ?? groups?.["listed"]) !== undefined || isReader(match),
  };
}

function isReader({ groups, input, index }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - MAX_READER_LENGTH), index);
  return groups?.["call"] !== undefined && READER.test(before);
}
