import { isPlaceholder } from "../values/placeholder.ts";
import { compileForm } from "./compile-form.ts";
import type { SecretPattern } from "./find-by-patterns.ts";

/** Tokens without a prefix of their own: the words that must precede one on its line, and its form. */
const KEYED_TOKENS: readonly (readonly [kind: string, words: string, form: string])[] = [
  [
    "Azure DevOps token",
    "azure[ _-]?devops|dev[.]azure[.]com|visualstudio[.]com|(?<![a-z])(?:ado|vsts|pat)(?![a-z])",
    "[a-z2-7]{52}",
  ],
  [
    "Azure key",
    "azure[\\w -]{0,24}key|openai[\\w -]{0,12}key|ocp-apim-subscription-key",
    "{hex:32}",
  ],
  ["Cloudflare key", "x-auth-key|cloudflare[\\w -]{0,24}key", "{hex:37}"],
  ["Fastly token", "fastly[\\w -]{0,12}(?:key|token)", "{url:32}"],
  [
    "wallet key",
    "(?:eth(?:ereum)?|wallet|deployer|metamask|hardhat|evm|private)[\\w -]{0,20}(?:key|pk)",
    "(?:0x)?{anyhex:64}",
  ],
  [
    "token",
    "(?:snyk|codecov|railway|postmark)[\\w -]{0,24}token|authorization[\"']?[ \\t]{0,4}:[ \\t]{0,4}[\"']?(?:splunk|geniekey)",
    "{uuid}",
  ],
];

// What else has such a form: `private key fingerprint …`.
const OTHER_NUMBER = /sha\d|hash|digest|fingerprint|checksum|address|public|txn?\b|commit|\bid\b/i;

/** Secrets that are recognized by the vendor's name before them. */
export const KEYED_TOKEN_PATTERNS: readonly SecretPattern[] = KEYED_TOKENS.map(
  ([kind, words, form]) => ({
    kind,
    pattern: new RegExp(
      String.raw`(?:${words})[^\n]{0,40}?(?<![\w+/.-])(?<value>${compileForm(form).source})(?![\w+/-])`,
      "dgi",
    ),
    isSecret: (value, match) =>
      !isPlaceholder(value) &&
      /\d/.test(value) &&
      !OTHER_NUMBER.test(match[0].slice(0, -value.length)),
  }),
);
