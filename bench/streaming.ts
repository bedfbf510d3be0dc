import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspaceNode } from "../scripts/workspace.mjs";
import { writeFullMemory } from "../test/support/full-memory.ts";
import { startModelServer } from "../test/support/model-server/model-server.ts";
import { startOnTerminal } from "../test/support/process-on-terminal.ts";
import type { Measurement } from "./measurement.ts";
import { programOf } from "./startup.ts";

const CHARACTERS = 100_000;
/** What a model sends at once. With the pause, the answer takes about 20 seconds. */
const CHUNK = /[^]{1,24}/g;
const PAUSE_MS = 4;
const MAX_SECONDS = 3;
const TICKS_PER_SECOND = 100;

const PART = `## A heading of the answer

The answer has paragraphs of a usual length, with **bold** words, \`code\` and [links](https://example.com), as models write them.

- a list with an item
- and another one, which is somewhat longer than the first

\`\`\`ts
export function add(a: number, b: number): number {
  return a + b;
}
\`\`\`

`;

/** Measures the CPU time of the program while an answer of 100 KB arrives and is shown on a terminal. Linux only. */
export async function benchStreaming(): Promise<readonly (Measurement | string)[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  const text = PART.repeat(CHARACTERS / PART.length);
  const answer = { text: `${text}The end.`.match(CHUNK) ?? [], slowMs: PAUSE_MS };
  const server = await startModelServer({ script: [answer], repeat: true });
  try {
    await writeFullMemory(home, server.baseUrl("anthropic"));
    const { cpuSeconds, seconds, characters } = await watchAnswer(home);
    const isSlow = cpuSeconds > MAX_SECONDS;
    if (isSlow) process.exitCode = 1;
    const name = `CPU time of an answer of 100 KB in ${seconds.toFixed(0)} s (limit ${MAX_SECONDS} s)`;
    return [
      { name, value: cpuSeconds * 1000, unit: "ms" },
      `  written to the terminal: ${Math.round(characters / 1000)} KB`,
      ...(isSlow ? [`  FAILED: more than ${MAX_SECONDS} s`] : []),
    ];
  } finally {
    await server.close();
    rmSync(home, { recursive: true });
  }
}

interface Watched {
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly characters: number;
}

async function watchAnswer(home: string): Promise<Watched> {
  const env = { HOME: home, ANTHROPIC_API_KEY: "none-at-all" };
  const program = startOnTerminal([workspaceNode, programOf(root)], {
    cwd: join(home, "app"),
    env,
  });
  try {
    await program.printed("context");
    program.write("write a long answer");
    await program.printed("long answer");
    const before = {
      cpu: cpuSecondsOf(program.pid),
      started: performance.now(),
      written: program.written().length,
    };
    program.write("\r");
    await program.printed("The end.");
    return {
      cpuSeconds: cpuSecondsOf(program.pid) - before.cpu,
      seconds: (performance.now() - before.started) / 1000,
      characters: program.written().length - before.written,
    };
  } finally {
    program.kill("SIGKILL");
  }
}

/** The time of all threads, in the program and in the system. */
function cpuSecondsOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
