import type { SecretSpan } from "./secret-span.ts";
import { isStandIn } from "./stand-in.ts";

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
]);

const KINDS: Readonly<Record<string, string>> = {
  "1password": "1Password token",
  anthropic: "Anthropic key",
  cloudflare: "Cloudflare token",
  databricks: "Databricks token",
  docker: "Docker token",
  figma: "Figma token",
  gitlab: "GitLab token",
  grafana: "Grafana token",
  groq: "Groq key",
  "hashicorp-vault": "Vault token",
  huggingface: "Hugging Face token",
  linear: "Linear key",
  notion: "Notion token",
  npm: "npm token",
  openai: "OpenAI key",
  privatekey: "private key",
  shopify: "Shopify token",
  stripe: "Stripe key",
  tailscale: "Tailscale key",
  vercel: "Vercel token",
};

/**
 * Finds what the recommended preset of secretlint knows and the own patterns did not match. What they matched is
 * blanked out first: secretlint compares each finding with each other, and takes minutes for a text full of tokens.
 */
export async function findWithSecretlint(
  text: string,
  matched: readonly SecretSpan[],
): Promise<readonly SecretSpan[]> {
  // Loaded late, because most runs look for no secret.
  const [{ lintSource }, preset] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  // Rule by rule, because secretlint runs a rule of a preset although it is disabled.
  const rules = preset.rules
    .filter(({ meta }) => !UNUSED_RULES.has(nameOf(meta.id)))
    .map((rule) => ({ id: rule.meta.id, rule }));
  const { messages } = await lintSource({
    source: {
      filePath: "memory.md",
      content: blank(text, matched),
      ext: ".md",
      contentType: "text",
    },
    options: { noPhysicFilePath: true, config: { rules } },
  });
  return messages
    .map(({ ruleId, range: [start, end] }) => ({ kind: kindOf(ruleId), start, end }))
    .filter(({ start, end }) => !isStandIn(text.slice(start, end)));
}

function kindOf(ruleId: string): string {
  const name = nameOf(ruleId);
  return KINDS[name] ?? `${name} secret`;
}

function nameOf(ruleId: string): string {
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
