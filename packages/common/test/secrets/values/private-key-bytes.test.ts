import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isPrivateKey } from "../../../src/secrets/values/private-key-bytes.ts";

const RSA = generateKeyPairSync("rsa", { modulusLength: 1024 });
const EC = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ED25519 = generateKeyPairSync("ed25519");
const ENCRYPTED = { format: "der", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "a" } as const;

describe("isPrivateKey", () => {
  it.for([
    ["RSA, PKCS #1", der(RSA.privateKey, "pkcs1")],
    ["RSA, PKCS #8", der(RSA.privateKey, "pkcs8")],
    ["EC, SEC 1", der(EC.privateKey, "sec1")],
    ["EC, PKCS #8", der(EC.privateKey, "pkcs8")],
    ["Ed25519, PKCS #8", der(ED25519.privateKey, "pkcs8")],
    ["RSA, encrypted", RSA.privateKey.export(ENCRYPTED)],
    ["the first half of a key", der(RSA.privateKey, "pkcs8").subarray(0, 200)],
    ["OpenSSH", Buffer.from("openssh-key-v1\0\0\0\0\u0004none")],
    ["a Java key store", Buffer.from("feedfeed00000002", "hex")],
    ["PKCS #12", Buffer.from("308209b10201033082096d06092a864886f70d010701a0820960", "hex")],
  ] as const)("isPrivateKey recognizes %s", ([, bytes]) => {
    expect(isPrivateKey(bytes.toString("latin1"))).toBe(true);
  });

  it.for([
    ["a public key", der(RSA.publicKey, "spki")],
    ["a public key, PKCS #1", der(RSA.publicKey, "pkcs1")],
    ["a signature", sign("sha256", Buffer.from("a"), EC.privateKey)],
    [
      "a certificate",
      Buffer.from("308203773082025fa003020102020402000 0b9".replace(" ", ""), "hex"),
    ],
    ["text", Buffer.from("0 is the first digit, and 1 the second one")],
    ["nothing", Buffer.from("")],
  ] as const)("isPrivateKey rejects %s", ([, bytes]) => {
    expect(isPrivateKey(bytes.toString("latin1"))).toBe(false);
  });
});

function der(key: KeyObject, type: "pkcs1" | "pkcs8" | "sec1" | "spki"): Buffer {
  // oxlint-disable-next-line no-unsafe-type-assertion -- the types differ by kind of key
  return key.export({ format: "der", type: type as "pkcs8" });
}
