import { createHash } from "node:crypto";

/** As `ssh-keygen -l` shows it. */
export function fingerprintOf(publicKey: string): string {
  const bytes = Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(bytes).digest("base64").replace(/=+$/, "")}`;
}
