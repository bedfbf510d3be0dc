import { isLoginPassword } from "../values/login-password.ts";
import type { SecretPattern } from "./find-by-patterns.ts";

const USER = String.raw`["'\x60*]{0,3}(?<user>[a-z][\w.@+-]{0,63})["'\x60*]{0,3}`;
// Neither a path nor a time.
const VALUE = String.raw`["'\x60*]{0,3}(?<value>[^\s"'\x60<>|,;:/]{5,}[^\s"'\x60<>|.,;:/)\]}*])`;

const NAME = "(?:log-?ins?|creds?|credentials?|zugangsdaten|identifiants|credenciales)";
const JOINT = String.raw`["'\x60*)]{0,3}(?:[ \t]{0,4}[:=]|[ \t]{1,4}(?:are|is|sind|sont|son)(?=[ \t]))[ \t*]{0,4}`;
const BETWEEN = String.raw`(?:[ \t]{0,2}[/:|,][ \t]{0,2}|[ \t](?:and|und|et|y)[ \t])`;

const LOG_IN = String.raw`(?:log|sign)(?:ged|ging|ning)?[ -]?in[ \t](?:as|with|using|via)[ \t](?:user(?:name)?[ \t])?`;
const AND = String.raw`(?:[ \t]{0,2}[/:,][ \t]{0,2}|[ \t](?:and|with|using)[ \t])(?:(?:the[ \t])?(?:pw|pass|password)[ \t])?`;

const CALL = String.raw`(?:log_?in|sign_?in|authenticate|basic_?auth|credentials?|(?<!\w)auth(?:[ \t]{0,2}=[ \t]{0,2})?)\(`;
const STRING = String.raw`\s{0,8}["'\x60](?<user>[^"'\x60\n]{1,64})["'\x60]\s{0,4},\s{0,8}["'\x60](?<value>[^\s"'\x60]{5,})`;

/** A user and a password next to each other. */
export const CREDENTIAL_PATTERNS: readonly SecretPattern[] = [
  // `creds: admin/…`, "the credentials are admin:…".
  String.raw`(?<![\w-])${NAME}${JOINT}${USER}${BETWEEN}${VALUE}`,
  // "log in with admin and …".
  String.raw`(?<![\w-])${LOG_IN}${USER}${AND}${VALUE}`,
  // `login("admin", "…")`, `auth=("admin", "…")`.
  CALL + STRING,
].map((source) => ({
  kind: "password",
  pattern: new RegExp(source, "dgi"),
  isSecret: (value, match) => isLoginPassword(match.groups?.["user"] ?? "", value),
}));
