import { findSecrets, type SecretFinding } from "./find-secrets.ts";

/** Puts `[secret removed: KIND]` in place of each finding and leaves no part of the value; twice is the same as once. */
export async function redactSecrets(
  text: string,
): Promise<{ readonly text: string; readonly findings: readonly SecretFinding[] }> {
  const findings = await findSecrets(text);
  const parts: string[] = [];
  let kept = 0;
  for (const { kind, start, end } of findings) {
    parts.push(text.slice(kept, start), `[secret removed: ${kind}]`);
    kept = end;
  }
  return { text: [...parts, text.slice(kept)].join(""), findings };
}
