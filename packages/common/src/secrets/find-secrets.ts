import { scanText, type SecretFinding } from "./scan-text.ts";
import { findWithSecretlint } from "./find-with-secretlint.ts";

/** Finds everything that looks like a secret: our own patterns and the rules of secretlint, which need Node. */
export async function findSecrets(text: string): Promise<readonly SecretFinding[]> {
  return await scanText(text, findWithSecretlint);
}
