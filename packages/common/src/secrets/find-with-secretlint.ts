import type { SecretSpan } from "./secret-span.ts";
import { isPlaceholder } from "./values/placeholder.ts";

const RULE = "@secretlint/secretlint-rule-";

/** Rules of the preset that do harm here; own patterns do their work. */
const UNUSED_RULES: ReadonlySet<string> = new Set([
  // A text could switch the scanner off by a comment.
  "filter-comments",
  // Reports the length of the value from the start of the name, so that the end of the value would stay.
  "aws",
  // Reports the host as well, and `user:pass@` as a password.
  "basicauth",
  "database-connection-string",
  // Match a few characters: `SG.a.b`, `xoxb-a-b`, `ghs_1_a.b.c`.
  "sendgrid",
  "slack",
  "github",
  // Takes a long name with underscores for a token.
  "npm",
]);

// Every rule that is used wants at least so many characters in a row; a plain text is spared the cost of loading.
const MAY_CONTAIN_TOKEN = /[\w-]{20}/;

/**
 * Finds what the recommended preset of secretlint knows and the own patterns did not match. What they matched is
 * blanked out first: secretlint compares each finding with each other, and takes minutes for a text full of tokens.
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
  // Rule by rule, because secretlint runs a rule of a preset although it is disabled.
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
