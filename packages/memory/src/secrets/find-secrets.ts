import { checkText } from "../check-arguments.ts";

/** Where a text looks like a secret; never its value. */
export interface SecretFinding {
  /** For display, such as "GitHub token". */
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
}

/**
 * Finds everything in a text that our own patterns take for a secret. It runs in any runtime. The file store of `./node`
 * also applies the rules of secretlint.
 *
 * @example
 * import { findSecrets } from "@caliban/memory/secrets";
 *
 * const [found] = await findSecrets(`One line.\nghp_${"0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"}`);
 * console.log(found?.kind, found?.line); // GitHub token 2
 */
export async function findSecrets(text: string): Promise<readonly SecretFinding[]> {
  checkText("findSecrets", text);
  const patterns = await import("@caliban/common/secrets/patterns");
  return await patterns.findSecretsByPattern(text);
}
