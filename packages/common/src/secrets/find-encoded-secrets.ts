import { findByAnyRule } from "./apply-rules.ts";
import type { SecretSpan } from "./secret-span.ts";
import { isPrivateKey } from "./values/private-key-bytes.ts";
import { type DecodedRun, decodeRuns } from "./views/decode-runs.ts";
import type { TextView } from "./views/text-view.ts";

// Ends anything that looks like a private key, and is too long to be between a name and its value.
const SEPARATOR = "\n----- another part -----\n";
const READABLE = /^[\t\n\r\x20-\x7E\x80-\xFF]+/;
const MIN_READABLE_LENGTH = 12;

/** Finds secrets in Base64 and hex, and reports the whole run. What the decoded text encodes in turn is not decoded. */
export function findEncodedSecrets(text: string, candidates: TextView): readonly SecretSpan[] {
  const keys: SecretSpan[] = [];
  const texts: DecodedRun[] = [];
  for (const run of decodeRuns(text, candidates)) {
    const readable = READABLE.exec(run.bytes)?.[0] ?? "";
    if (isPrivateKey(run.bytes)) keys.push({ kind: "private key", start: run.start, end: run.end });
    else if (readable.length >= MIN_READABLE_LENGTH) texts.push({ ...run, bytes: readable });
  }
  return [...keys, ...findInTexts(texts)];
}

/** Scans all texts as one, because each scan has a fixed cost. */
function findInTexts(runs: readonly DecodedRun[]): readonly SecretSpan[] {
  if (runs.length === 0) return [];
  const found = findByAnyRule(runs.map(({ bytes }) => bytes).join(SEPARATOR));
  const secrets: SecretSpan[] = [];
  let [next, offset] = [0, 0];
  for (const { encoding, start, end, bytes } of runs) {
    offset += bytes.length + SEPARATOR.length;
    const first = found[next];
    if (first === undefined || first.start >= offset) continue;
    secrets.push({ kind: `${first.kind} in ${encoding}`, start, end });
    while ((found[next]?.start ?? Infinity) < offset) next++;
  }
  return secrets;
}
