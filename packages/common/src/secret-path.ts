import type { PathStyle } from "./paths.ts";

/** Directories of secrets, in the home directory or elsewhere. */
const SECRET_DIRECTORIES: ReadonlySet<string> = new Set([
  ".ssh",
  ".aws",
  ".gnupg",
  ".azure",
  ".kube",
  ".docker",
  ".git",
  ".password-store",
  ".env",
  ".envs",
  "keyrings",
]);

const SECRET_FILES: readonly RegExp[] = [
  /^\.env|\.env$|^\.(?:netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd|vault-token|my\.cnf)$/i,
  /credentials(?:\.[a-z.]+)?$|^access_tokens\.db$|^secrets?\.(?:ya?ml|json|toml)$/i,
  // A Markdown file about keys is not a key.
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.md$)/i,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|asc|gpg)(?:~|\.(?:bak|old|orig|save|\d+))?$/i,
];

/** Directories that expose processes and devices as files. */
const SYSTEM_DIRECTORY = /^\/(?:proc|sys|dev)\//;

/** Whether a path names a secret, whatever the file contains: keys, passwords, environment files, devices. */
export function isSecretPath(style: PathStyle, path: string): boolean {
  const segments = path.split(style === "posix" ? "/" : /[\\/]/).map((name) => name.toLowerCase());
  const file = segments.at(-1) ?? "";
  const [parent = ""] = segments.slice(-2);
  return (
    SYSTEM_DIRECTORY.test(path) ||
    SECRET_FILES.some((pattern) => pattern.test(file)) ||
    (parent === "gh" && file === "hosts.yml") ||
    segments.some((segment) => SECRET_DIRECTORIES.has(segment))
  );
}
