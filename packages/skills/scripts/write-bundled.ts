// `pnpm --filter @caliban/skills bundled`: writes the text of the bundled skill into the source.
import { readFileSync, writeFileSync } from "node:fs";
import { renderBundled } from "./render-bundled.ts";

const file = (path: string): URL => new URL(`../${path}`, import.meta.url);
const text = readFileSync(file("skills/auto-memory/SKILL.md"), "utf8");
writeFileSync(file("src/bundled/auto-memory-text.ts"), renderBundled(text));
