// `pnpm --filter @caliban/autonomous-memory prompts`: writes the prompts into the source.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { renderPromptTexts } from "./render-prompt-texts.ts";

const file = (path: string): URL => new URL(`../${path}`, import.meta.url);
const texts = readdirSync(file("prompts")).map(
  (name) => [name.replace(/\.md$/, ""), readFileSync(file(`prompts/${name}`), "utf8")] as const,
);
writeFileSync(file("src/prompts/prompt-texts.ts"), renderPromptTexts(new Map(texts)));
