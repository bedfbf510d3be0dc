import { isAssignedSecret } from "../values/assigned-secret.ts";
import { familyOf, KINDS, QUALIFIER, SECRET_NAME } from "./secret-name.ts";
import type { SecretSpan } from "../secret-span.ts";

// Bounded, because the name must follow.
const VALUE = String.raw`(?<![\w-])["']?value["']?[ \t]{0,4}[:=][ \t]{0,4}(?<quote>["']?)(?<value>[^\s"']{6,256})["']?`;
const NAME_BELOW = String.raw`[ \t]{0,4},?[ \t]{0,4}(?:\r?\n[ \t]{0,40})?["']?(?:name|key)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[\w.-]{0,60}?`;

const PAIR = new RegExp(`${VALUE}${NAME_BELOW}${SECRET_NAME}${QUALIFIER}(?=["'\\s,}]|$)`, "dgi");

/** Finds values in lists of variables that come before their name: `value: …` and then `name: DB_PASSWORD`. */
export function findPairedSecrets(text: string): readonly SecretSpan[] {
  return Array.from(text.matchAll(PAIR)).flatMap((match) => {
    const family = familyOf(match);
    const value = match.groups?.["value"] ?? "";
    const [start, end] = match.indices?.groups?.["value"] ?? [0, 0];
    const isQuoted = match.groups?.["quote"] !== "";
    return family !== undefined && isAssignedSecret({ family, value, isQuoted, isAdjacent: false })
      ? [{ kind: KINDS[family], start, end }]
      : [];
  });
}
