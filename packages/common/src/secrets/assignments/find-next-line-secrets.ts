import { isAssignedSecret } from "./is-assigned-secret.ts";
import { isMixedPassword } from "../values/mixed-password.ts";
import { familyOf, KINDS, QUALIFIER, SECRET_NAME } from "./secret-name.ts";
import type { SecretSpan } from "../secret-span.ts";

const JOINT = String.raw`["'\x60*)\]]{0,4}(?:[ \t]\([^()\n]{1,48}\)|[ \t](?:is|ist|est|es))?[ \t]{0,4}[:=]\*{0,3}[ \t]{0,4}(?:[|>][-+]?)?[ \t]{0,16}\r?\n(?:[ \t]{0,16}\r?\n)?`;
const FENCE = String.raw`(?<fence>[ \t]{0,8}\x60{3}\w{0,12}[ \t]{0,4}\r?\n[ \t]{0,8})`;
// Alone on its line, and therefore neither a sentence nor the next name.
const VALUE = String.raw`(?:[-*+][ \t]{1,4})?["'\x60*]{0,3}(?<value>[^\s"'\x60]+)["'\x60]?[ \t]{0,16}\r?$`;

const BELOW = new RegExp(
  String.raw`${SECRET_NAME}${QUALIFIER}${JOINT}(?:${FENCE}|(?<inner>[ \t]{1,64}))${VALUE}`,
  "dgim",
);

/** Finds values below their name: indented as in YAML, or in a code block. */
export function findNextLineSecrets(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(BELOW)).flatMap((match) => {
    const value = (match.groups?.["value"] ?? "").replace(/[,;*]{1,4}$/, "");
    const [start] = match.indices?.groups?.["value"] ?? [0];
    return isSecretBelow(text, match, value)
      ? [{ kind: KINDS[familyOf(match)], start, end: start + value.length }]
      : [];
  });
}

function isSecretBelow(text: string, match: RegExpExecArray, value: string): boolean {
  const inner = match.groups?.["inner"];
  if (inner === undefined) return isMixedPassword(value);
  const family = familyOf(match);
  return (
    inner.length > indentAt(text, match.index) &&
    isAssignedSecret({ family, value, isQuoted: false, isAdjacent: false })
  );
}

function indentAt(text: string, index: number): number {
  const spaces = /[ \t]*/y;
  spaces.lastIndex = text.lastIndexOf("\n", index) + 1;
  return spaces.exec(text)?.[0].length ?? 0;
}
