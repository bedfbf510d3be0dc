import { isAssignedSecret } from "../values/assigned-secret.ts";
import type { SecretPattern } from "./find-by-patterns.ts";
import { isExpression, isReference } from "../values/reference.ts";
import { looksGenerated } from "../values/looks-generated.ts";
import { isMixedPassword } from "../values/mixed-password.ts";
import { isPlaceholderPassword } from "../values/placeholder.ts";

const PASSWORD_WORD = String.raw`(?:pass(?:word|wd|phrase|code|wort)|kennwort|mot de passe|contrase(?:ñ|n\u0303?)a|senha|wachtwoord|hasło|heslo|lösenord|adgangskode|passord|salasana|jelszó|parol[aă]|şifre|kata sandi|mật khẩu|lozinka|geslo|(?<![A-Za-z])(?:pwd?|mdp|clave|pass(?=[ \t]{0,4}[:=])))(?![\w-])(?<!\[secret removed: [^\]\n]{0,60})`;
const LINK = String.raw`(?:[ \t]{1,4}(?:is|was|are|now|set|still|changed|to|lautet|ist|war|heißt|heisst|jetzt|nun|noch|est|devient|es|era|será|ahora)(?=[ \t:=])){0,3}`;
const JOINT = String.raw`["'\x60*)]{0,4}${LINK}(?:[ \t]{0,4}(?:[:=]|->|→|,(?=[ \t]))[ \t]{0,4}|[ \t]{1,4})["'\x60*(«„“‘]{0,3}[ \t]?`;
// The digit is checked first, so that a word does not use up the name: "the password password Zk9…".
// Punctuation such as a comma ends the value only if another value follows.
const AFTER = String.raw`(?<value>(?=[^\s\d]{0,64}\d)(?:[^\s"'\x60<>|,;&»“”’]|[,;&](?![ \t]|[\w .-]{1,40}=|$)){7,}[^\s"'\x60<>|.,;:&)\]}*»“”’])`;

// Looks back only from the verb, and no further than the length of a password.
const VERB = "(?:is|was|as|ist|war|als|est|comme|es|como)";
const BEFORE = String.raw`(?<=(?<![^\s"'\x60(*«„“‘])(?<value>[^\s"'\x60(*«»„“”‘’]{8,256})["'\x60*»“”’]{0,4}[ \t]{1,4})`;
const AFTER_VERB = String.raw`[ \t]{1,4}(?:[\wäöüéèñ-]{1,24}[ \t]{1,4}){0,4}`;
const END_OF_PART = String.raw`(?=["'\x60*]{0,3}(?:[ \t]{0,4}(?:[.,;:!?()–—-]|$)|[ \t]{1,4}(?:for|of|on|in|at|to|and|für|von|der|des|pour|de|du|del|para)[ \t]))`;

// Scripts without spaces between words, or whose words change their ends. The value is ASCII, so what follows it is not.
const OTHER_SCRIPTS =
  "(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|비번|암호|패스워드|парол[ьяюе]|паролем|κωδικός|סיסמה|पासवर्ड|รหัสผ่าน|كلمة (?:المرور|السر))";
const OTHER_JOINT = String.raw`(?:[^\n!-~]{0,24}?(?:[:=]|->|[—–→]|是|为|為|は|が|는|은|가|이)|(?=[ \t]))[^\S\n]{0,4}["'\x60*«“「『]{0,3}`;
const OTHER_VALUE = String.raw`(?<value>(?=[!-~]{0,64}\d)[!#-&(-_a-~]{5,}[!#-&*+/-9<-\[^-_a-z{~])`;

const MAX_CONTEXT_CHARACTERS = 120;

/** Passwords in a sentence. They are surrounded by nothing but words, so the value itself must not look like one. */
export const PROSE_PATTERNS: readonly SecretPattern[] = [
  {
    kind: "password",
    pattern: new RegExp(`${PASSWORD_WORD}${JOINT}${AFTER}`, "dgim"),
    isSecret: isMixedPassword,
  },
  {
    kind: "password",
    pattern: new RegExp(
      String.raw`(?=\b${VERB}[ \t])${BEFORE}${VERB}${AFTER_VERB}[\wäöü-]{0,24}${PASSWORD_WORD}${END_OF_PART}`,
      "dgim",
    ),
    isSecret: isMixedPassword,
  },
  {
    kind: "password",
    // In parentheses after the value: `Zk9… (root password)`.
    pattern: new RegExp(
      String.raw`(?=\()${BEFORE}\((?:[\wäöüéèñ-]{1,24}[ \t]{1,4}){0,3}[\wäöü-]{0,24}${PASSWORD_WORD}\)`,
      "dgi",
    ),
    isSecret: isMixedPassword,
  },
  {
    kind: "password",
    pattern: new RegExp(`${OTHER_SCRIPTS}${OTHER_JOINT}${OTHER_VALUE}`, "dgi"),
    isSecret: (value) =>
      isAssignedSecret({ family: "password", value, isQuoted: false, isAdjacent: false }),
  },
  {
    kind: "password",
    // The passcode of a meeting: shorter than other passwords, and often a number.
    pattern:
      /passcode["'`*)]{0,4}[ \t]{0,4}(?:[:=]|is[ \t])[ \t*]{0,4}["'`]?(?<value>[^\s"'`<>|,;]{5,}[^\s"'`<>|.,;:)\]}*])/dgi,
    isSecret: isPasscode,
  },
];

function isPasscode(value: string, { input, index }: RegExpExecArray): boolean {
  if (isReference(value) || isExpression(value) || isPlaceholderPassword(value)) return false;
  if (!/^\d+$/.test(value)) return /\d/.test(value) && looksGenerated(value);
  const before = input.slice(Math.max(0, index - MAX_CONTEXT_CHARACTERS), index);
  return value.length <= 10 && /zoom|meeting|webex/i.test(before);
}
