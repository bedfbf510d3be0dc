import { readTextFile, withFileLock, writeFileAtomic } from "@caliban/common/node";
import { TeamError } from "../../errors.ts";
import type { SeenKey } from "../../state/state.ts";
import { keysOf, renderSigner, withoutKey } from "./allowed-signers.ts";
import { fingerprintOf } from "./fingerprint.ts";

const MAX_BYTES = 1024 * 1024;

/** The fingerprints of the keys that the user approved. */
export function approvedFingerprints(path: string): readonly string[] {
  return [...new Set(keysOf(read(path)).map(fingerprintOf))];
}

export async function addSigner(path: string, key: SeenKey): Promise<void> {
  await withFileLock(path, async () => {
    const file = read(path);
    if (keysOf(file).includes(key.publicKey)) return;
    const complete = file === "" || file.endsWith("\n") ? file : `${file}\n`;
    await writeFileAtomic(path, complete + renderSigner(key));
  });
}

export async function removeSigner(path: string, fingerprint: string): Promise<void> {
  await withFileLock(path, async () => {
    const file = read(path);
    const keys = keysOf(file).filter((publicKey) => fingerprintOf(publicKey) === fingerprint);
    const left = keys.reduce(withoutKey, file);
    if (left !== file) await writeFileAtomic(path, left);
  });
}

function read(path: string): string {
  const file = readTextFile(path, MAX_BYTES);
  if (file.kind === "missing") return "";
  if (file.kind === "text" && file.fileBytes === file.readBytes) return file.text;
  throw new TeamError(
    "DAMAGED",
    `cannot read ${path}: ${file.kind === "text" ? "it is too large" : file.message}`,
  );
}
