import type { PathStyle } from "@caliban/common";

/** Directories of secrets, below the home directory or anywhere. */
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
  // What is written about keys is no key.
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.md$)/i,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|asc|gpg)(?:~|\.(?:bak|old|orig|save|\d+))?$/i,
];

/** Where the system shows processes and devices as files. */
const SYSTEM_DIRECTORY = /^\/(?:proc|sys|dev)\//;

/** Whether a file is of a kind that is never importable, whatever is set: keys, passwords, environment files. */
export function isSecretPath(style: PathStyle, path: string): boolean {
  const segments = path.split(style === "posix" ? "/" : /[\\/]/).map((name) => name.toLowerCase());
  const file = segments.at(-1) ?? "";
  const [above = ""] = segments.slice(-2);
  return (
    SYSTEM_DIRECTORY.test(path) ||
    SECRET_FILES.some((pattern) => pattern.test(file)) ||
    (above === "gh" && file === "hosts.yml") ||
    segments.some((segment) => SECRET_DIRECTORIES.has(segment))
  );
}

/** Whether a real path lies in one of several real directories, or is one. */
export function isWithin(style: PathStyle, path: string, directories: readonly string[]): boolean {
  const separator = style === "posix" ? "/" : "\\";
  return directories.some((directory) => {
    const base = directory.endsWith(separator) ? directory : directory + separator;
    return path === directory || path.startsWith(base);
  });
}
