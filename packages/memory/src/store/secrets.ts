import { MemoryError } from "../errors.ts";

/** What looks like a secret in a text, by its line. */
export type FindSecrets = (
  text: string,
) => Promise<readonly { readonly kind: string; readonly line: number }[]>;

/**
 * Refuses a text with a secret in it. The refusal names kind and place, never the value.
 * @throws MemoryError `SECRET_FOUND`
 */
export async function assertNoSecrets(
  parts: Readonly<Record<string, string>>,
  findSecrets: FindSecrets,
): Promise<void> {
  const found = await Promise.all(
    Object.entries(parts).map(async ([name, text]) => {
      const findings = await findSecrets(text);
      const isOneLine = !text.includes("\n");
      return findings.map(
        ({ kind, line }) => `${kind} in ${isOneLine ? "" : `line ${line} of `}the ${name}`,
      );
    }),
  );
  const places = [...new Set(found.flat())];
  if (places.length === 0) return;
  const sentence = `this looks like a secret: ${places.join("; ")}. Memory is plain text that every session sees: write down where the secret is kept, not its value`;
  throw new MemoryError("SECRET_FOUND", sentence);
}
