import type { SecretSpan } from "./secret-span.ts";
import { isPlaceholder } from "./values/placeholder.ts";

const RULE = "@secretlint/secretlint-rule-";

/** Rules of the preset that do harm here; our own patterns replace them. */
const UNUSED_RULES: ReadonlySet<string> = new Set([
  // A text could turn the scanner off with a comment.
  "filter-comments",
  // Measures the value from the start of the name, so the end of the value would remain.
  "aws",
  // Reports the host, too, and reports `user:pass@` as a password.
  "basicauth",
  "database-connection-string",
  // Match a few characters: `SG.a.b`, `xoxb-a-b`, `ghs_1_a.b.c`.
  "sendgrid",
  "slack",
  "github",
  // Mistakes a long name with underscores for a token.
  "npm",
]);

// Every rule in use needs at least this many characters in a row; other texts are spared the cost of loading.
const MAY_CONTAIN_TOKEN = /[\w-]{20}/;

/**
 * Finds what secretlint's recommended preset knows and our own patterns did not match. Their matches are blanked out
 * first: secretlint compares all findings with each other, which takes minutes for a text full of tokens.
 */
export async function findWithSecretlint(
  text: string,
  matched: readonly SecretSpan[],
): Promise<readonly SecretSpan[]> {
  const content = blank(text, matched);
  if (!MAY_CONTAIN_TOKEN.test(content)) return [];
  const [{ lintSource }, preset] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  // Rule by rule, because secretlint runs the disabled rules of a preset, too.
  const rules = preset.rules
    .filter(({ meta }) => !UNUSED_RULES.has(ruleName(meta.id)))
    .map((rule) => ({ id: rule.meta.id, rule }));
  const { messages } = await lintSource({
    source: { filePath: "memory.md", content, ext: ".md", contentType: "text" },
    options: { noPhysicFilePath: true, config: { rules } },
  });
  return messages
    .map(({ ruleId, range: [start, end] }) => ({ kind: `${ruleName(ruleId)} secret`, start, end }))
    .filter(({ start, end }) => !isPlaceholder(text.slice(start, end)));
}

function ruleName(ruleId: string): string {
  return ruleId.replace(RULE, "");
}

function blank(text: string, spans: readonly SecretSpan[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= kept) continue;
    const from = Math.max(start, kept);
    parts.push(text.slice(kept, from), " ".repeat(end - from));
    kept = end;
  }
  return parts.join("") + text.slice(kept);
}
