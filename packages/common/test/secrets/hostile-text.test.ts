import { describe, expect, it } from "vitest";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

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
    // Pairs, values below and tables.
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
    // Codes, seeds, keys of programs and cards.
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
    // Stand-ins.
    "ghp_xxxxx",
    "password=example",
    "password=exampleaB3 ",
    "xxxxx*** ",
  ])("takes well under a second for %j again and again", async (piece) => {
    const text = piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
    const before = processorMs();
    await findSecrets(text);
    expect(processorMs() - before).toBeLessThan(LIMIT_MILLISECONDS);
  });

  it.for(
    BEGINNINGS.flatMap((beginning) => FILLINGS.map((filling) => [beginning, filling] as const)),
  )("takes well under a second for %j and a long value of %j", async ([beginning, filling]) => {
    const text = beginning + filling.repeat(SIZE / filling.length);
    const before = processorMs();
    await findSecrets(text);
    expect(processorMs() - before).toBeLessThan(LIMIT_MILLISECONDS);
  });

  it.for(ENDINGS.flatMap((ending) => FILLINGS.map((filling) => [filling, ending] as const)))(
    "takes well under a second for a long value of %j and %j",
    async ([filling, ending]) => {
      const text = filling.repeat(SIZE / filling.length) + ending;
      const before = processorMs();
      await findSecrets(text);
      expect(processorMs() - before).toBeLessThan(LIMIT_MILLISECONDS);
    },
  );
});
