import { describe, expect, it } from "vitest";
import { isExpression, isReference } from "../../src/secrets/is-reference.ts";
import { looksGenerated } from "../../src/secrets/looks-generated.ts";
import { areCredentials, areEncodedCredentials } from "../../src/secrets/password-shape.ts";
import { isStandIn, isStandInPassword } from "../../src/secrets/stand-in.ts";

describe("looksGenerated", () => {
  it.for([
    ["hunter2hunter2", true],
    ["Winter2024", true],
    ["4f9c1e2ab07d", true],
    ["aBcDeFgH1jKlMnOp", true],
    ["xk7!bar", true],
    ["clientSecretV2Header", false],
    ["refresh-token-2024-01", false],
    ["projects/12/secrets/db/versions/3", false],
    ["ed25519.Ed25519PrivateKey", false],
    ["argon2id", false],
    ["NodeJS.ArrayBufferView", false],
    ["CERTIFICATE_PRIVATE_KEY_TYPES", false],
    ["32000", false],
    ["", false],
  ] as const)("says of %j: %j", ([value, expected]) => {
    expect(looksGenerated(value)).toBe(expected);
  });
});

describe("isReference", () => {
  it.for([
    ["$DB_PASSWORD", true],
    ["${DB_PASSWORD}", true],
    ["{{ password }}", true],
    ["%PASSWORD%", true],
    ["<password>", true],
    ["!vault", true],
    ["op://Private/db/password", true],
    ["/run/secrets/db", true],
    ["2025-03-17T21:52:11Z", true],
    ["1.4.2", true],
    ["0xc0406618", true],
    ["hunter2hunter2", false],
    ["$2b$12$abcdefgh", false],
    ["!Passw0rd9", false],
  ] as const)("says of %j: %j", ([value, expected]) => {
    expect(isReference(value)).toBe(expected);
  });
});

describe("isExpression", () => {
  it.for([
    ["getToken(user1)", true],
    ["tokens[0]", true],
    ["user?.token2", true],
    ["Token::Ident2", true],
    ["Token.DblRBracket", true],
    ["a1==b2", true],
    ["null,x1:y2", true],
    ["x8!k2(pQz", false],
    ["hunter2hunter2", false],
  ] as const)("says of %j: %j", ([value, expected]) => {
    expect(isExpression(value)).toBe(expected);
  });
});

describe("stand-ins", () => {
  it.for([
    ["changeme", true],
    ["my-secret-pw-123", true],
    ["mysecretpassword", true],
    ["password1", true],
    ["aaaaaaaaaa", true],
    ["hunter2", false],
    ["secretToken9f8a7b6c5d4e", false],
  ] as const)("says of the password %j: %j", ([value, expected]) => {
    expect(isStandInPassword(value)).toBe(expected);
  });

  it.for([
    ["ghp_xxxxxxxxxxxx", true],
    ["AKIAIOSFODNN7EXAMPLE", true],
    ["sk-your-key-here", true],
    ["sk-ant-...", true],
    // Made up for a test, perhaps; nobody can know.
    [`ghp_${"a".repeat(36)}`, false],
  ] as const)("says of the token %j: %j", ([value, expected]) => {
    expect(isStandIn(value)).toBe(expected);
  });
});

describe("credentials", () => {
  it.for([
    ["app", "hunter2", true],
    ["scott", "tiger", true],
    ["guest", "guest", false],
    ["user", "pass", false],
    ["root", "example", false],
    ["alpine", "3.19", false],
    ["localhost", "8080", false],
    ["app", "${DB_PASSWORD}", false],
    ["ab12", "x-oauth-basic", false],
  ] as const)("says of %j and %j: %j", ([user, password, expected]) => {
    expect(areCredentials(user, password)).toBe(expected);
    expect(areEncodedCredentials(btoa(`${user}:${password}`))).toBe(expected);
  });

  it.for(["authentication", "MultiDomainBasicAuth", "abcde", "no base64!", ""])(
    "takes %j for no credentials in Base64",
    (value) => {
      expect(areEncodedCredentials(value)).toBe(false);
    },
  );
});
