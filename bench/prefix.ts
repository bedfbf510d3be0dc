import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  loadMemory,
  type LoadMemoryInput,
} from "../packages/memory/src/node/prompt/load-memory.ts";
import { interleaveJobs } from "./interleave.ts";
import { type Measurement, timing as row } from "./measurement.ts";

/** Compares loading memory with reading the same files, to show what the processing costs. */
export async function benchPrefix(): Promise<readonly Measurement[]> {
  const typical = createProject(typicalFiles());
  const doubled = createProject(typicalFiles(2));
  const rules = createProject(ruleFiles(1_000));
  try {
    const [readMs, loadMs, loadDoubledMs] = await interleaveJobs([
      () => readAll(typical.paths),
      () => loadMemory(typical.input),
      () => loadMemory(doubled.input),
    ]);
    const [readRulesMs, loadRulesMs] = await interleaveJobs(
      [() => readAll(rules.paths), () => loadMemory(rules.input)],
      15,
    );
    const memory = await loadMemory(rules.input);
    await memory.activate("src/other/0.ts");
    const matchMs = await medianOf(() => memory.activate("src/none/a.ts"));
    return [
      row("read 12 files", readMs, readMs),
      row("load a typical project", loadMs, readMs),
      row("load a project of twice the size", loadDoubledMs, loadMs),
      row("read 1,000 rules", readRulesMs, readRulesMs),
      row("load 1,000 rules", loadRulesMs, readRulesMs),
      row("match one path against 1,000 rules", matchMs, matchMs),
    ];
  } finally {
    for (const { home } of [typical, doubled, rules]) rmSync(home, { recursive: true });
  }
}

interface BenchProject {
  readonly home: string;
  readonly paths: readonly string[];
  readonly input: LoadMemoryInput;
}

function createProject(files: Readonly<Record<string, string>>): BenchProject {
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

function typicalFiles(times = 1): Readonly<Record<string, string>> {
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

async function medianOf(job: () => Promise<unknown>): Promise<number> {
  const [time] = await interleaveJobs([job], 500);
  return time ?? Number.NaN;
}
