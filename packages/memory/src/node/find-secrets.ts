import type { FindSecrets } from "../store/secrets.ts";

/** The full scanner, which needs Node. It is loaded by the first write, not before. */
export async function findSecretsLazily(text: string): ReturnType<FindSecrets> {
  const { findSecrets } = await import("@caliban/common/secrets");
  return await findSecrets(text);
}
