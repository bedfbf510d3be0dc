import type { SecretFamily } from "../values/assigned-secret.ts";

/** What a value is called that is assigned to a name of this family. */
export const KINDS: Readonly<Record<SecretFamily, string>> = {
  password: "password",
  key: "API key",
  secret: "secret",
  token: "token",
};

// The last word of a name decides: `DB_PASSWORD`, `dbPassword`, `db.password`. An ARN names its secret after a colon.
/** The source of a pattern with a group for each family, for use once in a pattern with the flag `i`. */
export const SECRET_NAME: string = String.raw`(?<![:/])(?:${[
  String.raw`(?<password>pass(?:word|wd|phrase|code|wort)|kennwort|mot de passe|contrase(?:ñ|n\u0303?)a|senha|wachtwoord|(?<=\w[_-])(?:pass|pwd|pw)|(?<![\w-])pw|(?<![\w-])(?:pass|pwd|psk)(?=["']?[ \t]{0,4}[:=][ \t]{0,4}["'])|(?<=;[ \t]?)pwd|pass(?=[ \t]{0,2}[:=])(?<=(?<![a-z])(?:user|username|login)[^\n]{1,60}[ \t,;/|]pass)|(?<camel>(?<=[a-z])(?:pass|pwd|pw)))`,
  String.raw`(?<key>(?:api|access|secret|auth|account|service|role|app|application|subscription|license|admin|write)[ _.-]?key)`,
  String.raw`(?<secret>secret|credentials?|(?:private|encryption|master|shared|webhook|hmac|jwt)[ _.-]?key)`,
  String.raw`(?<token>(?<!(?:next|starting|page|paging|continuation|sync|cancel|cancellation|csrf|xsrf|design|pad|eos|bos|stop|first|last|prev|previous|special|lock|fencing|input|output)[ _-]?)token)`,
].join("|")})(?<!\[secret removed: [^\]\n]{0,60})`;

/** The source of a pattern for a suffix that belongs to the name: `PASSWORD_PROD`, `token2`. */
export const QUALIFIER: string = String.raw`(?:[_-]?(?:\d{1,3}|prod|production|dev|development|staging|test|live|old|new|base|b64|base64|hex|value|default))?(?![\w-])`;

/** The family whose group matched; none if a short name is only the end of a word: `dbPass`, but not `bypass`. */
export function familyOf({ groups }: RegExpExecArray): SecretFamily | undefined {
  const camel = groups?.["camel"];
  if (camel !== undefined && !/^P[a-z]/.test(camel)) return undefined;
  return FAMILIES.find((name) => groups?.[name] !== undefined) ?? "password";
}

const FAMILIES = ["password", "key", "secret", "token"] as const;
