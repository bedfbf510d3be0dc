import { MemoryError } from "../errors.ts";
import type { Author } from "./topic-store.ts";

/** Finds anything in a text that looks like a secret, with its line. */
export type FindSecrets = (
  text: string,
) => Promise<readonly { readonly kind: string; readonly line: number }[]>;

/** The scanner that runs everywhere. It is loaded by the first write, not before. */
export async function findSecretsByPattern(text: string): ReturnType<FindSecrets> {
  // Importing a module again takes longer than a scan.
  loading ??= import("@caliban/common/secrets/patterns");
  return await (await loading).findSecretsByPattern(text);
}

let loading: Promise<{ readonly findSecretsByPattern: FindSecrets }> | undefined;

// The ids of our own sessions. Scanning one would load more of the scanner than most writes need.
const OWN_SESSION = /^\d{8}-\d{6}-[a-z0-9]{4}$/;

/**
 * Rejects an author whose names or tools contain a secret: a client chooses its own name.
 * @throws MemoryError `SECRET_FOUND`
 */
export async function assertNoSecretsInAuthor(
  { agent = "", user = "", session = "", after = [] }: Author,
  findSecrets: FindSecrets,
): Promise<void> {
  const name = OWN_SESSION.test(session) ? "" : session;
  const parts = {
    "name of the agent": agent,
    "name of the user": user,
    "name of the session": name,
    "tools used": after.join("\n\n"),
  };
  if (Object.values(parts).some((part) => part !== "")) await assertNoSecrets(parts, findSecrets);
}

const SEPARATOR = "\n\n\n";

/**
 * Rejects texts that contain a secret. The message names the kind and the line, never the value.
 * @throws MemoryError `SECRET_FOUND`
 */
export async function assertNoSecrets(
  parts: Readonly<Record<string, string>>,
  findSecrets: FindSecrets,
): Promise<void> {
  const texts = Object.entries(parts).filter(([, text]) => text !== "");
  // All at once, because each scan has a fixed cost, and apart, so that no part is read together with the next.
  const secrets = await findSecrets(texts.map(([, text]) => text).join(SEPARATOR));
  let next = 1;
  const found = texts.map(([name, text]) => {
    const lines = text.split("\n").length;
    const first = next;
    // With the separator, so that a secret never falls between two parts.
    next = first + lines + SEPARATOR.length - 1;
    return secrets
      .filter(({ line }) => line >= first && line < next)
      .map(
        ({ kind, line }) =>
          `${kind} in ${lines === 1 ? "" : `line ${line - first + 1} of `}the ${name}`,
      );
  });
  const locations = [...new Set(found.flat())];
  if (locations.length === 0) return;
  const message = `this looks like a secret: ${locations.join("; ")}. Memory is plain text that every session sees: write down where the secret is stored, not its value`;
  throw new MemoryError("SECRET_FOUND", message);
}
