/** The public key inside an SSH signature, which is what a commit has; `undefined` if it is not such a signature. */
export function publicKeyOf(signature: string): string | undefined {
  const armor = /-----BEGIN SSH SIGNATURE-----([\sA-Za-z0-9+/=]+)-----END SSH SIGNATURE-----/.exec(
    signature,
  );
  const bytes = Buffer.from((armor?.[1] ?? "").replaceAll(/\s/g, ""), "base64");
  if (bytes.subarray(0, 6).toString("latin1") !== "SSHSIG") return undefined;
  const key = readString(bytes, 10);
  const type = key && readString(key, 0)?.toString("latin1");
  if (key === undefined || type === undefined || !/^[\w@.-]{1,100}$/.test(type)) return undefined;
  return `${type} ${key.toString("base64")}`;
}

/** A length of four bytes, and as many bytes. */
function readString(bytes: Buffer, at: number): Buffer | undefined {
  if (at + 4 > bytes.length) return undefined;
  const end = at + 4 + bytes.readUInt32BE(at);
  return end <= bytes.length ? bytes.subarray(at + 4, end) : undefined;
}

/** A line that lets a key sign changes, and nothing else. */
export function renderSigner({ email, publicKey }: { email: string; publicKey: string }): string {
  // The name is only a label; patterns would have a meaning.
  const label = email.replaceAll(/[^\w@.+-]/g, "") || "unknown";
  return `${label} namespaces="git" ${publicKey}\n`;
}

/** The file without the lines of a key. */
export function withoutKey(file: string, publicKey: string): string {
  return file
    .split(/(?<=\n)/)
    .filter(
      (line) => line.trimStart().startsWith("#") || !` ${line.trim()} `.includes(` ${publicKey} `),
    )
    .join("");
}

/** The keys of a file, as in `.pub` files. */
export function keysOf(file: string): readonly string[] {
  return file.split("\n").flatMap((line) => {
    if (line.trimStart().startsWith("#")) return [];
    const [, type, key] = /\s((?:ssh|ecdsa|sk)-[\w@.-]+)\s+([A-Za-z0-9+/=]+)/.exec(line) ?? [];
    return type === undefined || key === undefined ? [] : [`${type} ${key}`];
  });
}
