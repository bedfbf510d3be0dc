import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { HOSTILE_PIECES } from "./hostile-pieces.ts";

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
  "login: a/",
  "log in with a and ",
  'login("a", "',
  "docker login -p ",
  "passphrase: ",
  "azure key ",
  '{"kty":"oct","k":"',
  "# password\n",
  "密码：",
  "https://",
  "secret_a_",
  "wallet 5",
  "$6$a$",
  "0x",
];
const ENDINGS = [
  " is the root password",
  "\n-----END PRIVATE KEY-----",
  "\nname: DB_PASSWORD",
  " (root password)",
];
const FILLERS = ["a", "A", "1", "aA1", "-", ".", "(", "=", "/a", "\\a", ";a", "!", "A\n", ". "];

const REPEATED = HOSTILE_PIECES.map((piece) =>
  piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE),
);
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
