import { expect, it } from "vitest";
import { isSecretPath } from "../src/secret-path.ts";

it.for([
  ["/home/me/.ssh/config", true],
  ["/home/me/.aws/anything.md", true],
  ["/home/me/.gnupg/x", true],
  ["/app/.env", true],
  ["/app/.env.local", true],
  ["/app/prod.env", true],
  ["/app/id_rsa", true],
  ["/app/keys/server.pem", true],
  ["/app/secret.KEY", true],
  ["/home/me/.netrc", true],
  ["/app/.git/config", true],
  ["/app/docs/environment.md", false],
  ["/app/docs/keys.md", false],
  ["/app/.envrc", true],
  ["/app/.env_local", true],
  ["/app/id_rsa_work", true],
  ["/app/prod.key.bak", true],
  ["/app/secret.p8", true],
  ["/home/me/.SSH/x", true],
  ["/home/me/.cargo/credentials.toml", true],
  ["/home/me/.config/gh/hosts.yml", true],
  ["/home/me/application_default_credentials.json", true],
  ["/proc/self/environ", true],
  ["/app/secrets.yml", true],
  ["/app/.envs/prod", true],
  ["/app/keyboard.md", false],
  ["/app/docs/public.key.md", false],
  ["/app/docs/id_rsa-howto.md", false],
  ["/app/docs/hosts.yml", false],
  ["/app/sshd/notes.md", false],
] as const)("decides that %s is a secret: %j", ([path, expected]) => {
  expect(isSecretPath("posix", path)).toBe(expected);
});

it("recognizes secrets in Windows paths", () => {
  expect(isSecretPath("windows", "C:\\Users\\me\\.ssh\\config")).toBe(true);
});
