import type { SecretPattern } from "./find-by-patterns.ts";
import { isExpression, isReference } from "../values/reference.ts";
import { looksGenerated } from "../values/looks-generated.ts";
import { areCredentials, areEncodedCredentials } from "../values/credentials.ts";
import { isTruncated, isPlaceholder, isPlaceholderPassword } from "../values/placeholder.ts";

const MIN_DISTINCT_WORDS = 6;

/** Secrets that are recognized by their context: a URL, a header, a command-line option. */
export const CONTEXT_PATTERNS: readonly SecretPattern[] = [
  {
    kind: "password in a URL",
    // A password may contain an @, so the last one before the host counts; the lookahead excludes a port.
    pattern: /:\/\/(?<user>[\w.%+~!-]{0,128}):(?!\d{1,5}[/?#])(?<value>[^\s/"'`<>]+)@(?=[\w[.-])/dg,
    isSecret: (value, match) => areCredentials(match.groups?.["user"] ?? "", value),
  },
  {
    kind: "GitHub token",
    pattern: /:\/\/(?<value>[\w-]{16,}):x-oauth-basic@/dg,
    isSecret: isNotPlaceholder,
  },
  {
    kind: "token in a URL",
    // Only for git, because other services put a public key there.
    pattern:
      /:\/\/(?<value>[\w-]{20,})@(?=[\w.-]{0,100}(?:git|bitbucket|codeberg|azure)|[^\s"'`]{1,200}\.git(?!\w))/dg,
    isSecret: isOpaque,
  },
  {
    kind: "Basic credentials",
    pattern: /\bBasic[ \t]{1,4}(?<value>[A-Za-z0-9+/]{8,}={0,2})/dgi,
    isSecret: areEncodedCredentials,
  },
  {
    kind: "Basic credentials",
    pattern: /\b_?auth\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?<value>[A-Za-z0-9+/]{8,}={0,2})/dgi,
    isSecret: areEncodedCredentials,
  },
  {
    kind: "Authorization header",
    pattern:
      /authorization\\?["']?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?(?!basic[ \t])(?:[a-z][\w-]{1,24}[ \t]{1,4}(?:token=["']?)?)?(?<value>[\w.~+/:-]{12,}={0,2})/dgi,
    isSecret: isOpaque,
  },
  {
    kind: "bearer token",
    pattern: /\bbearer[ \t]{1,4}(?<value>[\w.~+/-]{16,}={0,2})/dgi,
    isSecret: isOpaque,
  },
  {
    kind: "AWS secret access key",
    pattern:
      /(?:secret[ _-]?access[ _-]?key|aws[ _-]?secret(?:[ _-]?key)?)["'`*\\\]]{0,4}[ \t]{0,8}(?:=>|[:=|,]|is )[ \t*]{0,8}\\?["'`]?(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/dgi,
    isSecret: isNotPlaceholder,
  },
  {
    kind: "AWS secret access key",
    // Id and key, as in the CSV file of the AWS console.
    pattern:
      /(?:AKIA|ASIA)[A-Z0-9]{16}["']?[ \t]{0,4}[,;:|/\t ][ \t]{0,4}["']?(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/dg,
    isSecret: isNotPlaceholder,
  },
  {
    kind: "Azure storage key",
    pattern: /(?:Account|SharedAccess)Key=(?<value>[A-Za-z0-9+/]{40,}={0,2})/dgi,
    isSecret: isNotPlaceholder,
  },
  {
    kind: "signed URL",
    pattern: /[?&](?:sig|signature)=(?<value>[A-Za-z0-9%+/_-]{40,}={0,2})/dgi,
    isSecret: isOpaque,
  },
  {
    kind: "npm token",
    pattern: /:_authToken[ \t]{0,4}=[ \t]{0,4}["']?(?<value>[\w+/=.-]{16,})/dg,
    isSecret: isOpaque,
  },
  {
    kind: "password",
    pattern:
      /\b(?:machine[ \t]{1,8}\S{1,253}|default)\s{1,16}login\s{1,16}(?!anonymous\s)\S{1,128}\s{1,16}password\s{1,16}["']?(?<value>[^\s"']+)/dg,
    isSecret: isPassword,
  },
  {
    kind: "password",
    // A line of .pgpass: host, port, database, user, password.
    pattern: /^[\w.*-]{1,253}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:(?<value>\S{4,})$/dgm,
    isSecret: isOpaque,
  },
  {
    kind: "password",
    pattern:
      /(?:-u|--user)[ =]["']?(?<=(?<!\w)(?:curl|wget|https?|ab|xh)\s[^\n]{0,240})(?<user>[^\s:"'$<]{1,64}):(?<value>[^\s"']{4,})/dg,
    isSecret: (value, match) =>
      areCredentials(match.groups?.["user"] ?? "", value) &&
      /[^a-z-]/i.test(value) &&
      !isExpression(value),
  },
  {
    kind: "password",
    pattern: /\bidentified[ \t]{1,4}by[ \t]{1,4}["'](?<value>[^\s"']{4,})/dgi,
    isSecret: (value) => isPassword(value) && /[^a-z]/i.test(value),
  },
  {
    kind: "password",
    // The format of Google's app passwords.
    pattern:
      /(?<![A-Za-z])pass(?:word)?["'`*]{0,3}[ \t]{0,4}[:=][ \t*]{0,4}["'`]?(?<value>(?!xxxx)[a-z]{4}(?: [a-z]{4}){3})(?![\w ])/dgi,
    isSecret: isNotPlaceholder,
  },
  {
    kind: "session cookie",
    // The lookbehind comes after the name, so that only names look back.
    pattern:
      /(?:sess|sessid|sessionid|session|sid|auth|token)(?:_id)?=(?<=cookie["']?:[^\n]{0,400})(?<value>[\w%.~+/:-]{16,}={0,2})/dgi,
    isSecret: isOpaque,
  },
  {
    kind: "recovery phrase",
    pattern:
      /(?:mnemonic|(?:seed|recovery)[ _-]?phrase)["'`*]{0,3}[ \t]{0,4}(?:[:=]|is )[ \t*]{0,4}["'`]?(?<value>[a-z]{3,8}(?: [a-z]{3,8}){11,23})/dgi,
    // A phrase may contain any word, including "example"; the phrases in documentation repeat one word.
    isSecret: (value) => new Set(value.split(" ")).size >= MIN_DISTINCT_WORDS,
  },
];

function isNotPlaceholder(value: string): boolean {
  return !isPlaceholder(value);
}

function isPassword(value: string): boolean {
  return !isReference(value) && !isPlaceholderPassword(value);
}

function isOpaque(value: string, { input, index, 0: { length } }: RegExpExecArray): boolean {
  const isCall = input.startsWith("(", index + length);
  return !isCall && isPassword(value) && !isTruncated(value) && looksGenerated(value);
}
