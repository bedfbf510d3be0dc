import { parseSkill } from "../src/parse-skill.ts";

/** Renders the bundled skill as TypeScript, because the program is one bundle without other files. */
export function renderBundled(text: string): string {
  const path = "skills/auto-memory/SKILL.md";
  const parsed = parseSkill(text, { directoryName: "auto-memory", path, origin: "bundled" });
  if (parsed.kind === "problem") throw new TypeError(`${path}:${parsed.line}: ${parsed.message}`);
  const { description, body } = parsed.skill;
  return [
    `// Generated from ${path} by scripts/write-bundled.ts. Edit the file there.`,
    `export const AUTO_MEMORY_DESCRIPTION: string = ${templateLiteral(description)};`,
    `export const AUTO_MEMORY_BODY: string = ${templateLiteral(body)};`,
    "",
  ].join("\n");
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;
}
