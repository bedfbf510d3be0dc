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
]);

const SECRET_FILE =
  /^(?:\.env.*|.*\.env|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|credentials(?:\.json)?|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|asc|gpg)(?:[.~].*)?)$/i;

/** Whether a file is of a kind that is never importable, whatever is set: keys, passwords, environment files. */
export function isSecretPath(style: PathStyle, path: string): boolean {
  const segments = path.split(style === "posix" ? "/" : /[\\/]/);
  const file = segments.at(-1) ?? "";
  return (
    SECRET_FILE.test(file) ||
    segments.some((segment) => SECRET_DIRECTORIES.has(segment.toLowerCase()))
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
