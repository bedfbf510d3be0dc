import { findSecrets, type SecretFinding } from "./find-secrets.ts";

/**
 * Puts `[secret removed: KIND]` in place of each finding and leaves no part of the value; twice is the same as once.
 * The findings are those of the text that was given.
 */
export async function redactSecrets(
  text: string,
): Promise<{ readonly text: string; readonly findings: readonly SecretFinding[] }> {
  const findings = await findSecrets(text);
  return { text: await replaceAllFindings(text, findings), findings };
}

/** Looks again after each time, because a secret that was glued to another one shows only beside the mark. */
async function replaceAllFindings(
  text: string,
  findings: readonly SecretFinding[],
): Promise<string> {
  if (findings.length === 0) return text;
  const replaced = replaceFindings(text, findings);
  return replaceAllFindings(replaced, await findSecrets(replaced));
}

function replaceFindings(text: string, findings: readonly SecretFinding[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { kind, start, end } of findings) {
    parts.push(text.slice(kept, start), `[secret removed: ${kind}]`);
    kept = end;
  }
  return [...parts, text.slice(kept)].join("");
}
