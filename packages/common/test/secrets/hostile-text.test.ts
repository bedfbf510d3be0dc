import { describe, expect, it } from "vitest";
import { findSecrets } from "../../src/secrets/find-secrets.ts";

const SIZE = 2 ** 18;
const LIMIT_MILLISECONDS = 1000;

const BEGINNINGS = [
  "password=",
  'token: "',
  "api key is A",
  "Authorization: Bearer ",
  "Basic ",
  "://a:",
  "-----BEGIN PRIVATE KEY-----\n",
  "eyJ",
];
const FILLINGS = ["a", "A", "1", "aA1", "-", ".", "(", "=", "/a", "\\a", ";a", "!", "A\n", ". "];

describe("findSecrets on hostile text", () => {
  it.for([
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
    // As many findings as fit, real ones, stand-ins and such as stand in a word.
    `sk_live_${"aB3".repeat(8)} `,
    `ghp_${"X".repeat(36)} `,
    `1vcp_${"aB3d".repeat(5)} `,
    "postgres://app:abcd1@h ",
    "secretlint-disable\n",
  ])("takes well under a second for %j again and again", async (piece) => {
    const text = piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
    const before = performance.now();
    await findSecrets(text);
    expect(performance.now() - before).toBeLessThan(LIMIT_MILLISECONDS);
  });

  it.for(
    BEGINNINGS.flatMap((beginning) => FILLINGS.map((filling) => [beginning, filling] as const)),
  )("takes well under a second for %j and a long value of %j", async ([beginning, filling]) => {
    const text = beginning + filling.repeat(SIZE / 4 / filling.length);
    const before = performance.now();
    await findSecrets(text);
    expect(performance.now() - before).toBeLessThan(LIMIT_MILLISECONDS);
  });
});
