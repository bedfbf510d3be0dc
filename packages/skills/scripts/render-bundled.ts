import { parseSkill } from "../src/parse-skill.ts";

/** The TypeScript that has the text of the bundled skill in it, because the program is one bundle without other files. */
export function renderBundled(text: string): string {
  const path = "skills/auto-memory/SKILL.md";
  const parsed = parseSkill(text, { directoryName: "auto-memory", path, origin: "bundled" });
  if (parsed.kind === "problem") throw new TypeError(`${path}:${parsed.line}: ${parsed.sentence}`);
  const { description, body } = parsed.skill;
  return [
    `// Made from ${path} by scripts/write-bundled.ts: change it there.`,
    `export const AUTO_MEMORY_DESCRIPTION: string = ${templateLiteral(description)};`,
    `export const AUTO_MEMORY_BODY: string = ${templateLiteral(body)};`,
    "",
  ].join("\n");
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;
}
