import type { SecretFinding } from "./scan-text.ts";
import { findSecrets } from "./find-secrets.ts";

/**
 * Replaces each finding by `[secret removed: KIND]`, so that no part of the value remains. Redacting twice changes nothing
 * more. The returned findings are those of the original text.
 */
export async function redactSecrets(
  text: string,
): Promise<{ readonly text: string; readonly findings: readonly SecretFinding[] }> {
  const findings = await findSecrets(text);
  return { text: await replaceAllFindings(text, findings), findings };
}

// A text that needs more was made to need them.
const MAX_PASSES = 8;

/** Scans again after each pass, because a secret that touched another one is found only once that one is replaced. */
async function replaceAllFindings(
  text: string,
  findings: readonly SecretFinding[],
): Promise<string> {
  let [redacted, left] = [text, findings];
  for (let pass = 1; left.length > 0; pass++) {
    redacted = pass < MAX_PASSES ? replaceFindings(redacted, left) : cutOff(redacted, left);
    left = pass < MAX_PASSES ? await findSecrets(redacted) : [];
  }
  return redacted;
}

/** Removes everything from the first finding on. */
function cutOff(text: string, [first]: readonly SecretFinding[]): string {
  return first === undefined ? text : replaceFindings(text, [{ ...first, end: text.length }]);
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
