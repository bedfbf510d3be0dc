import { createScreen, type Screen, showEvent } from "../packages/tui/src/index.ts";
import { createVirtualTerminal, type VirtualTerminal } from "../test/support/virtual-terminal.ts";
import { type Measurement, median } from "./measurement.ts";

const LINES = 10_000;
const RUNS = 60;
/** One frame of a screen with 60 Hz. */
const MAX_KEY_MS = 16;
const CHUNK = "some more words of an answer that is being written, ";

/** Times a key press and a chunk of an answer in a long transcript, and counts what is written for them. */
export async function benchScreen(): Promise<readonly (Measurement | string)[]> {
  const [short, long] = [await openScreen(1), await openScreen(LINES)];
  const keys = [await timeKeys(short), await timeKeys(long)] as const;
  const chunks = [await timeChunks(short), await timeChunks(long)] as const;
  for (const { screen } of [short, long]) screen.stop();
  const isSlow = keys[1].ms > MAX_KEY_MS;
  const isFull = chunks[1].characters > 2 * chunks[0].characters + 1000;
  if (isSlow || isFull) process.exitCode = 1;
  return [
    timed("a key press, 1 line", keys[0].ms, keys[0].ms),
    timed(`a key press, ${LINES} lines (limit ${MAX_KEY_MS} ms)`, keys[1].ms, keys[0].ms),
    timed("a chunk of an answer, 1 line", chunks[0].ms, chunks[0].ms),
    timed(`a chunk of an answer, ${LINES} lines`, chunks[1].ms, chunks[0].ms),
    `  written for a chunk: ${chunks[0].characters} characters after 1 line, ${chunks[1].characters} after ${LINES}`,
    ...(isSlow ? ["  FAILED: a key press takes longer than a frame"] : []),
    ...(isFull ? ["  FAILED: a chunk redraws more than what changed"] : []),
  ];
}

function timed(name: string, value: number, baseline: number): Measurement {
  return { name, value, unit: "ms", ratio: value / baseline };
}

interface Opened {
  readonly screen: Screen;
  readonly terminal: VirtualTerminal;
}

async function openScreen(lines: number): Promise<Opened> {
  const terminal = createVirtualTerminal({ columns: 100, rows: 40 });
  const screen = createScreen({ terminal, color: true, now: () => 0 });
  const text = Array.from({ length: 10 }, (_, index) => `Line ${index} of a paragraph.`).join(
    "\n\n",
  );
  const items = Array.from(
    { length: Math.ceil(lines / 20) },
    () => ({ kind: "answer", text }) as const,
  );
  screen.replaceTranscript(items);
  screen.update({ model: "a/b", directory: "~/app" });
  screen.start();
  await terminal.waitFor("context 0%");
  return { screen, terminal };
}

interface Timed {
  readonly ms: number;
  readonly characters: number;
}

/** From the key to the last byte of its frame. */
async function timeKeys({ terminal }: Opened): Promise<Timed> {
  return await measure(terminal, () => void terminal.type("x"));
}

async function timeChunks({ screen, terminal }: Opened): Promise<Timed> {
  screen.update({
    work: {
      startedAt: 0,
      inputTokens: 0,
      outputTokens: 0,
      streamedCharacters: 0,
      isStopping: false,
    },
  });
  showEvent(screen, { type: "step-start", step: 1 });
  const result = await measure(terminal, () =>
    showEvent(screen, { type: "text-delta", text: CHUNK }),
  );
  screen.update({ work: undefined });
  return result;
}

async function measure(terminal: VirtualTerminal, act: () => void): Promise<Timed> {
  const runs: Timed[] = [];
  for (let run = 0; run < RUNS; run++) {
    // Frames are at most 60 a second; the pause before the next one is not part of the work.
    await new Promise((resolve) => setTimeout(resolve, 40));
    const before = terminal.written().length;
    const startedMs = performance.now();
    act();
    while (terminal.written().length === before)
      await new Promise((resolve) => setImmediate(resolve));
    runs.push({
      ms: performance.now() - startedMs,
      characters: terminal.written().length - before,
    });
  }
  return {
    ms: median(runs.map(({ ms }) => ms)),
    characters: median(runs.map(({ characters }) => characters)),
  };
}
