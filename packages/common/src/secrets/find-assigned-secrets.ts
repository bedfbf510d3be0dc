import { type AssignedValue, isAssignedSecret, type SecretFamily } from "./is-assigned-secret.ts";
import type { SecretSpan } from "./secret-span.ts";

const KINDS: Readonly<Record<SecretFamily, string>> = {
  password: "password",
  key: "API key",
  secret: "secret",
  token: "token",
};

// A name counts by its last word: `DB_PASSWORD`, `dbPassword`, `db.password`. An ARN names its secret after a colon.
const NAME = String.raw`(?<![:/])(?:${[
  String.raw`(?<password>pass(?:word|wd|phrase|code|wort)|kennwort|mot de passe|contrase[nñ]a|senha|wachtwoord|(?<=\w[_-])(?:pass|pwd|pw)|(?<![\w-])pw|(?<![\w-])(?:pass|pwd|psk)(?=["']?[ \t]{0,4}[:=][ \t]{0,4}["'])|(?<=;[ \t]?)pwd)`,
  String.raw`(?<key>(?:api|access|secret|auth|account|service|role|app|application|subscription|license|admin)[ _.-]?key)`,
  String.raw`(?<secret>secret|credentials?|(?:private|encryption|master|shared|webhook|hmac|jwt)[ _.-]?key)`,
  String.raw`(?<token>(?<!(?:next|starting|page|paging|continuation|sync|cancel|cancellation|csrf|xsrf|design|pad|eos|bos|stop|first|last|prev|previous|special|lock|fencing)[ _-]?)token)`,
].join("|")})(?<!\[secret removed: [^\]\n]{0,60})`;

const QUALIFIER = String.raw`(?:[_-]?(?:\d{1,3}|prod|production|dev|development|staging|test|live|old|new|base|b64|base64|hex|value|default))?(?![\w-])`;
const CLOSING = String.raw`\\?["'\x60\])*]{0,4}`;
const PURPOSE = String.raw`(?:[ \t](?:for|of|to|on|in|at)[ \t][\w .'@-]{1,48}?|[ \t]\([^()\n]{1,48}\))?`;
const TYPE = String.raw`(?:[ \t]{0,4}:?[ \t]{0,4}&?(?:'static[ \t])?(?:str|string|text)\b\??(?=[ \t]{0,4}=))?`;
const SEPARATOR = String.raw`(?:${[
  String.raw`[ \t]{0,16}(?:[:!?]?={1,3}>?|->|→|:|>|\|\||\?\?)\*{0,3}[ \t]{0,16}`,
  String.raw`[ \t]{1,32}\|[ \t]{1,32}`,
  String.raw`[ \t]{1,4}(?:is|was)[ \t]{1,4}(?:now[ \t]{1,4}|set to[ \t]{1,4})?`,
  String.raw`(?<listed>(?<=["'])[ \t]{0,4},[ \t]{0,4})(?=["'])`,
  String.raw`[ \t]{1,4}value[ \t]?=[ \t]?`,
  String.raw`(?<=--[\w-]{1,40})[ \t]{1,4}`,
  String.raw`(?<aside>[ \t]{1,4})(?=["'\x60])`,
].join("|")})`;
const VALUE = String.raw`(?:${[
  String.raw`\\["'](?<escaped>[^"'\\\s]{4,})`,
  String.raw`[bru@]?"(?<double>(?:[^"\\\s]|\\\S){4,})`,
  String.raw`[bru]?'(?<single>(?:[^'\\\s]|\\\S){4,})`,
  String.raw`\x60(?<tick>[^\x60\s]{4,})`,
  // A comma or the like ends the value only when another one follows: it may be part of a password.
  String.raw`(?<bare>(?:[^\s"'\x60<>,;&]|[,;&](?![ \t]|[\w .-]{1,40}=|$))+)`,
].join("|")})`;

const ASSIGNMENT = new RegExp(
  `${NAME}${QUALIFIER}${CLOSING}${PURPOSE}${TYPE}${SEPARATOR}${VALUE}`,
  "dgim",
);

const CLOSING_QUOTES = { escaped: "\\", double: '"', single: "'", tick: "`", bare: "" } as const;
const FORMS = ["escaped", "double", "single", "tick", "bare"] as const;
const FAMILIES = ["password", "key", "secret", "token"] as const;

const LONGEST_SECOND_LOOK = 256;

/** Finds values that are given to a name such as `password`, `api_key` or `client secret`, in code, data and prose. */
export function findAssignedSecrets(text: string): readonly SecretSpan[] {
  const secrets: SecretSpan[] = [];
  // A copy, because the pattern remembers where it stands.
  const pattern = new RegExp(ASSIGNMENT);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { start, ...assigned } = readAssignment(text, match);
    const end = start + assigned.value.length;
    if (isAssignedSecret(assigned)) {
      secrets.push({ kind: KINDS[assigned.family], start, end });
      continue;
    }
    // What is no value may be the next name, as in `"password","token":"…"`; bounded, so that a text of names only
    // stays linear.
    if (end - start <= LONGEST_SECOND_LOOK) pattern.lastIndex = Math.max(start, match.index + 1);
  }
  return secrets;
}

function readAssignment(
  text: string,
  { groups, indices }: RegExpExecArray,
): AssignedValue & { readonly start: number } {
  const form = FORMS.find((name) => groups?.[name] !== undefined) ?? "bare";
  const family = FAMILIES.find((name) => groups?.[name] !== undefined) ?? "password";
  const [start, end] = indices?.groups?.[form] ?? [0, 0];
  const isQuoted = form !== "bare" && text.startsWith(CLOSING_QUOTES[form], end);
  const written = text.slice(start, end);
  return {
    family,
    start,
    value: isQuoted ? written : written.replace(/[.,:;)\]}*|\\]{1,4}$/, ""),
    isQuoted,
    isAside: (groups?.["aside"] ?? groups?.["listed"]) !== undefined,
  };
}
