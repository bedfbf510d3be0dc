/** The prompts as TypeScript source, because the program is a bundle without other files. */
export function renderPromptTexts(texts: ReadonlyMap<string, string>): string {
  const entries = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    "// Generated from prompts/*.md by scripts/write-prompts.ts: edit them there.",
    'import type { PromptName } from "./prompt-variables.ts";',
    "",
    "export const PROMPT_TEXTS: Readonly<Record<PromptName, string>> = {",
    ...entries.map(([name, text]) => `  ${name}: ${templateLiteral(text)},`),
    "};",
    "",
  ].join("\n");
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;
}
