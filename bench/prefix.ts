import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadMemory, type LoadMemoryInput } from "../packages/memory/src/node/load-memory.ts";
import { takeTurns } from "./take-turns.ts";
import { type Timing, timingOf as row } from "./timing.ts";

/** Loading memory against reading the same files: what all the care costs. */
export async function benchPrefix(): Promise<readonly Timing[]> {
  const usual = project(usualFiles());
  const doubled = project(usualFiles(2));
  const rules = project(ruleFiles(1_000));
  try {
    const [reading, loading, larger] = await takeTurns([
      () => readAll(usual.paths),
      () => loadMemory(usual.input),
      () => loadMemory(doubled.input),
    ]);
    const [readingRules, loadingRules] = await takeTurns(
      [() => readAll(rules.paths), () => loadMemory(rules.input)],
      15,
    );
    const memory = await loadMemory(rules.input);
    await memory.activate("src/other/0.ts");
    const matching = await median1(() => memory.activate("src/none/a.ts"));
    return [
      row("read 12 files", reading, reading),
      row("load a usual project", loading, reading),
      row("load twice the bytes of that", larger, loading),
      row("read 1,000 rules", readingRules, readingRules),
      row("load 1,000 rules", loadingRules, readingRules),
      row("match one path with 1,000 rules", matching, matching),
    ];
  } finally {
    for (const { home } of [usual, doubled, rules]) rmSync(home, { recursive: true });
  }
}

interface Project {
  readonly home: string;
  readonly paths: readonly string[];
  readonly input: LoadMemoryInput;
}

function project(files: Readonly<Record<string, string>>): Project {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "caliban-bench-")));
  const slug = `${home.slice(1).replaceAll("/", "-")}-app`;
  const paths = Object.entries({
    "app/.git/HEAD": "",
    "app/.git/objects/x": "",
    "app/.git/refs/x": "",
    ...files,
  }).map(([name, text]) => {
    const path = join(home, name.replace("SLUG", slug));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  });
  const directory = join(home, "app/src/deep");
  mkdirSync(directory, { recursive: true });
  const input = { directory, env: { HOME: home }, platform: "linux", home };
  return { home, paths: paths.slice(3), input };
}

function usualFiles(times = 1): Readonly<Record<string, string>> {
  const text = (name: string): string =>
    `# ${name}\n\n- Use \`pnpm\`, never npm.\n- Be brief.\n\n`.repeat(20 * times);
  return {
    ".config/caliban/CLAUDE.md": text("global"),
    "app/CLAUDE.md": `${text("root")}@docs/a.md\n@docs/b.md\n`,
    "app/src/CLAUDE.md": text("src"),
    "app/src/deep/AGENTS.md": text("deep"),
    "app/docs/a.md": text("a"),
    "app/docs/b.md": text("b"),
    "app/.caliban/rules/a.md": text("rule a"),
    "app/.caliban/rules/b.md": text("rule b"),
    "app/.caliban/rules/c.md": `---\npaths: src/**/*.ts\n---\n${text("rule c")}`,
    "app/.claude/rules/d.md": `---\npaths:\n  - docs/**\n---\n${text("rule d")}`,
    ".local/share/caliban/projects/SLUG/memory/MEMORY.md":
      "- [topic](topic.md) — project: what it says\n".repeat(200),
  };
}

function ruleFiles(count: number): Readonly<Record<string, string>> {
  const rules = Array.from({ length: count }, (_, n) => [
    `app/.caliban/rules/${n % 10}/${n}.md`,
    `---\npaths: src/${n}/**/*.ts\n---\nRule ${n}: test first, then write.\n`,
  ]);
  return Object.fromEntries(rules);
}

async function readAll(paths: readonly string[]): Promise<unknown> {
  return await Promise.all(paths.map((path) => readFile(path, "utf8")));
}

async function median1(job: () => Promise<unknown>): Promise<number> {
  const [time] = await takeTurns([job], 500);
  return time ?? Number.NaN;
}
