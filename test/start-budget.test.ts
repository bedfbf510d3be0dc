import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { writeFullMemory } from "./support/full-memory.ts";
import { startModelServer } from "./support/model-server/model-server.ts";
import { hasTool } from "./support/optional-tool.ts";
import { countStart, countSystemCalls, type StartCounts, warmUp } from "./support/start-counts.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const COMMANDS: readonly (readonly string[])[] = [["memory"], ["prompt"], ["-p", "ping"]];

const hasStrace = await hasTool("strace", () => promisify(execFile)("strace", ["-V"]));

// A change that raises a number changes these files, and a reviewer sees it: `vitest run test/start-budget.test.ts -u`.
describe.skipIf(process.platform !== "linux")("the start of the program", () => {
  it("loads and reads no more than what is checked in", async () => {
    const file = "start-budget/loaded.json";
    const accepted = await readAccepted<Loaded>(file);
    const counted = await ofCommands(async (start, name) =>
      withBudgets(await countStart(start), accepted[name]),
    );
    await expect(render(counted)).toMatchFileSnapshot(file);
  });

  it.skipIf(!hasStrace)("makes no more system calls than are checked in", async () => {
    const file = "start-budget/system-calls.json";
    const accepted = await readAccepted<string>(file);
    const counted = await ofCommands(async (start, name) =>
      budget(await countSystemCalls(start), accepted[name]),
    );
    await expect(render(counted)).toMatchFileSnapshot(file);
  });
});

type Start = Parameters<typeof countStart>[0];

/** Runs each command in a home directory of its own, with content in every part of memory. */
async function ofCommands<Result>(
  count: (start: Start, name: string) => Promise<Result>,
): Promise<Readonly<Record<string, Result>>> {
  const server = await startModelServer({ script: () => ({ text: "pong" }) });
  onTestFinished(server.close);
  const results: Record<string, Result> = {};
  for (const args of COMMANDS) {
    const home = await temporaryDirectory();
    await writeFullMemory(home, server.baseUrl("anthropic"));
    const start = { home, args };
    await warmUp(start);
    const name = ["caliban", ...args].join(" ");
    results[name] = await count(start, name);
  }
  return results;
}

type Loaded = Omit<StartCounts, "moduleBytes" | "fileBytes"> &
  Readonly<Record<(typeof SIZES)[number], string>>;

const SIZES = ["moduleBytes", "fileBytes"] as const;

/** Sizes change with every line of code, so that each has a budget in kilobytes. */
function withBudgets(counts: StartCounts, accepted: Partial<Loaded> = {}): Loaded {
  const budgets = SIZES.map(
    (key) => [key, `${budget(counts[key] / 1024, accepted[key])} KB`] as const,
  );
  return { ...counts, ...(Object.fromEntries(budgets) as Pick<Loaded, (typeof SIZES)[number]>) };
}

/** A budget with a little room. It stays while the amount is at most that, and not so far below it that it should be lowered. */
function budget(amount: number, accepted = ""): string {
  const limit = Number(/\d+/.exec(accepted)?.[0] ?? 0);
  const isKept = amount <= limit && amount > limit * 0.95;
  return `at most ${isKept ? limit : Math.ceil(amount * 1.01)}`;
}

async function readAccepted<Content>(file: string): Promise<Readonly<Record<string, Content>>> {
  try {
    return JSON.parse(await readFile(join(root, "test", file), "utf8")) as Record<string, Content>;
  } catch {
    // Not made yet.
    return {};
  }
}

function render(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
