import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findSecrets } from "../../src/secrets/find-secrets.ts";

// A pattern that takes quadratic time needs minutes for this much text, and runs into the timeout of the test.
const SIZE = 2 ** 18;
const SAMPLES = 30;

const BEGINNINGS = [
  "password=",
  'token: "',
  "api key is A",
  "Authorization: Bearer ",
  "Basic ",
  "://a:",
  "-----BEGIN PRIVATE KEY-----\n",
  "eyJ",
  "name: PASSWORD\n  value: ",
  "value: ",
  "password:\n  ",
  "| password |\n|---|\n| ",
  "pw aB3!",
  "passcode: ",
  "recovery codes: ",
  "totp: ",
  "vault s.",
  "master.key: ",
  "AAAAaB3d567:APA91b",
  "card 4539 ",
  "password=example",
];
const ENDINGS = [
  " is the root password",
  "\n-----END PRIVATE KEY-----",
  "\nname: DB_PASSWORD",
  " (root password)",
];
const FILLERS = ["a", "A", "1", "aA1", "-", ".", "(", "=", "/a", "\\a", ";a", "!", "A\n", ". "];

const PIECES = [
  ..."aA0-=_./+\\:@\n \t'\"`|*&;,([{<é".split(""),
  "😀",
  "\u200B",
  "ｐ",
  String.raw`\_`,
  "password",
  "password=",
  "password: ",
  "password is ",
  "password for a ",
  'password "',
  '"password",',
  "password=a,",
  "password=[",
  "password=a1b2c3d4 ",
  "--password ",
  "token=",
  "token: a ",
  "[secret removed: ",
  "api key ",
  "://",
  "://a:",
  "://a:b@",
  "http://a:b",
  "eyJ",
  "eyJaaaaaaaaaaa.",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  `-----BEGIN PRIVATE KEY-----${"a".repeat(45)}`,
  "Private-Lines: 1\n",
  "cookie: sid=",
  "machine a login b password ",
  "mysql -p",
  "Basic ",
  "Authorization: Bearer ",
  "sk-proj-",
  "ghs_1_x.",
  "xoxb-1-1 ",
  "MMMMMMMMMMMMMMMMMMMMMMMM.",
  "12345678:",
  "a:1234:b:c:",
  "mnemonic: abc ",
  // As many findings as fit: real ones, placeholders and parts of a word.
  `sk_live_${"aB3".repeat(8)} `,
  `ghp_${"X".repeat(36)} `,
  `1vcp_${"aB3d".repeat(5)} `,
  "postgres://app:abcd1@h ",
  "secretlint-disable\n",
  // Pairs, values below their name, and tables.
  "- name: DB_PASSWORD\n  value: ",
  "name: PASSWORD, value: a1b2c3d4 ",
  "value:",
  "value: a ",
  "value: aaaaaaaa\nname: ",
  "password:\n",
  "password:\n  ",
  "password:\n  a1B2c3D4e5\n",
  "password:\n```\n",
  "|",
  "|-",
  "| password ",
  "| password |\n|---|\n",
  `| password |\n|---|\n| ${"a".repeat(64)} |\n`,
  // Sentences.
  "pw ",
  "pw aB3!aB3! ",
  "pw is is is ",
  "password aaaaaaa1",
  "password:aaaaaaa1;",
  "password )))))))",
  " is the ",
  "aB3!aB3! is the ",
  "aB3!aB3!is ",
  "aB3!aB3! as a a a password ",
  "aB3!aB3! (a a ",
  "passwort lautet ",
  "mot de passe : ",
  "contraseña es ",
  "passcode: ",
  "passcode: a1B2c3 ",
  "zoom passcode: 849207\n",
  // Codes, seeds, keys and cards.
  "recovery codes",
  "recovery codes: a1b2c-d3e4f ",
  "a1b2c-d3e4f ",
  "backup codes\n\n",
  "totp ",
  "2fa: JBSW Y3DP ",
  "JBSW Y3DP EHPK 3PXP ",
  "token s.",
  `vault s.${"aB3d".repeat(6)} `,
  "master.key ",
  `master.key ${"4f9c".repeat(8)} `,
  `AAAAaB3d567:APA91b`,
  "-----END PRIVATE KEY-----",
  "a\n-----END PRIVATE KEY-----",
  `${"aB3d".repeat(16)}\n-----END PRIVATE KEY-----\n`,
  `${"aB3d".repeat(16)}\n`,
  "4539 ",
  "4539-",
  "4539148803436467 ",
  "4539 1488 0343 6467, ",
  // Placeholders.
  "ghp_xxxxx",
  "password=example",
  "password=exampleaB3 ",
  "xxxxx*** ",
];

const REPEATED = PIECES.map((piece) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE));
const VALUES = FILLERS.map((filler) => filler.repeat(SIZE / filler.length));
const LONG_VALUES = [
  ...BEGINNINGS.flatMap((beginning) => VALUES.map((value) => beginning + value)),
  ...ENDINGS.flatMap((ending) => VALUES.map((value) => value + ending)),
];

it.for([
  ["one piece repeated again and again", REPEATED],
  ["a long value after or before a name", LONG_VALUES],
] as const)("findSecrets does not hang on hostile text: %s", async ([, texts]) => {
  const sample = fc.sample(fc.constantFrom(...texts), SAMPLES);
  for (const text of process.env["FULL"] === "1" ? texts : sample) {
    expect(await findSecrets(text)).toBeInstanceOf(Array);
  }
});
