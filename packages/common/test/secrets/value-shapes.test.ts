import { describe, expect, it } from "vitest";
import { isExpression, isReference } from "../../src/secrets/values/reference.ts";
import { looksGenerated } from "../../src/secrets/values/looks-generated.ts";
import { isMixedPassword } from "../../src/secrets/values/mixed-password.ts";
import { areCredentials, areEncodedCredentials } from "../../src/secrets/values/credentials.ts";
import {
  isTruncated,
  isPlaceholder,
  isPlaceholderPassword,
} from "../../src/secrets/values/placeholder.ts";

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
  ] as const)("looksGenerated of %j is %j", ([value, expected]) => {
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
  ] as const)("isReference of %j is %j", ([value, expected]) => {
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
  ] as const)("isExpression of %j is %j", ([value, expected]) => {
    expect(isExpression(value)).toBe(expected);
  });
});

describe("placeholders", () => {
  it.for([
    ["changeme", true],
    ["my-secret-pw-123", true],
    ["mysecretpassword", true],
    ["password1", true],
    ["aaaaaaaaaa", true],
    ["hunter2", false],
    ["secretToken9f8a7b6c5d4e", false],
    ["example", true],
    ["example!Zk9mPq2vLx77", false],
    ["Zk9mPq2vLx***77", false],
  ] as const)("isPlaceholderPassword of %j is %j", ([value, expected]) => {
    expect(isPlaceholderPassword(value)).toBe(expected);
  });

  it.for([
    ["ghp_xxxxxxxxxxxx", true],
    ["AKIAIOSFODNN7EXAMPLE", true],
    ["sk-your-key-here", true],
    ["sk-ant-...", true],
    ["sk_live_51Hxxxxxxxxxxxxxxxx", true],
    ["sk_live_xxxxxxxxxxxxxxxx4f9c", true],
    ["sk_live_4eCxxxxx39HqLyjWDarjtT1zdp7dc", false],
    ["ghp_exampleAb3dEf6hIj9lMn2pQr5tUv8xYz1", false],
    ["AKIA7Q2EXAMPLEZ9K4WL", false],
    // Perhaps invented for a test, but it could be real.
    [`ghp_${"a".repeat(36)}`, false],
  ] as const)("isPlaceholder of %j is %j", ([value, expected]) => {
    expect(isPlaceholder(value)).toBe(expected);
  });
});

describe("isTruncated", () => {
  it.for([
    ["ghp_Ab3dE6hI9l...", true],
    ["4f9c1e2ab07d…", true],
    ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9...", true],
    ["4f9c1e2ab07d", false],
    ["4f9c1e2ab07d4c55b1de90aa3377fe12...", false],
    ["ghp_...Ab3dE6hI9l", false],
  ] as const)("isTruncated of %j is %j", ([value, expected]) => {
    expect(isTruncated(value)).toBe(expected);
  });
});

describe("isMixedPassword", () => {
  it.for([
    ["Zk9!mPq2vLx", true],
    ["Zk9mPq2vLx", true],
    ["zk9!mpq2", true],
    ["Zk9!mP2", false],
    ["zk9mpq2vlx", false],
    ["ZK9MPQ2VLX", false],
    ["PBKDF2WithHmacSHA256", false],
    ["resetPasswordV2Handler", false],
    ["playwright@^1.49.0", false],
    ["bob.Miller2x3@example.com", false],
    ["docs/Auth2/Login3x4.md", false],
    ["src/Auth2x3/Login3x4", false],
    ["^[A-Za-z0-9!@#]{8,64}$", false],
    ["example1!Password", false],
    ["https://vault.corp/Db3x4Y", false],
  ] as const)("isMixedPassword of %j is %j", ([value, expected]) => {
    expect(isMixedPassword(value)).toBe(expected);
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
  ] as const)(
    "areCredentials of the user %j and the password %j is %j",
    ([user, password, expected]) => {
      expect(areCredentials(user, password)).toBe(expected);
      expect(areEncodedCredentials(btoa(`${user}:${password}`))).toBe(expected);
    },
  );

  it.for(["authentication", "MultiDomainBasicAuth", "abcde", "no base64!", ""])(
    "areEncodedCredentials rejects %j",
    (value) => {
      expect(areEncodedCredentials(value)).toBe(false);
    },
  );
});
