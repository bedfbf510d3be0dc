// Acts like an agent that ignores our lock: writes topics in place and by rename, and adds lines to the index.
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

const [directory = "", report = "", rounds = ""] = process.argv.slice(2);
const NAMES = ["shared-0", "shared-1", "theirs"];
const last = new Map<string, string>();
const nap = new Int32Array(new SharedArrayBuffer(4));

for (let round = 0; round < Number(rounds); round++) {
  const name = NAMES[round % NAMES.length] ?? "";
  const path = join(directory, `${name}.md`);
  const text = `---\nname: ${name}\ndescription: other ${round}\ntype: project\n---\n\nOther ${round}.\n`;
  const own = last.get(name);
  if (round % 5 === 0) {
    // It removes exactly the text that it replaces. If that is not its own last text, another process replaced that.
    const taken = take(path);
    if (own !== undefined && taken !== undefined && taken !== own) tell({ name, text: own });
  }
  if (round % 2 === 0) writeFileSync(path, text);
  else putByRename(path, text);
  last.set(name, text);
  if (round % 4 === 0) addLine(round);
  Atomics.wait(nap, 0, 0, (round * 7) % 5);
}

function putByRename(path: string, text: string): void {
  const temporary = `${path}.other`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

function take(path: string): string | undefined {
  try {
    renameSync(path, `${path}.other`);
  } catch {
    return undefined;
  }
  const text = readFileSync(`${path}.other`, "utf8");
  unlinkSync(`${path}.other`);
  return text;
}

function addLine(round: number): void {
  const line = `- other line ${round}\n`;
  while (!append(join(directory, "MEMORY.md"), line));
  tell({ line });
}

/**
 * Whether the line is in a file that still exists. A handle that is opened before a replacement and written to after it
 * is outside of what the store promises, and happens when this process is suspended between the two calls.
 */
function append(path: string, line: string): boolean {
  const file = openSync(path, "a");
  try {
    writeSync(file, line);
    for (;;) {
      const { ino, nlink } = fstatSync(file);
      if (nlink === 0) return false;
      if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return true;
      // It is a backup for now, which the store restores, merges or removes.
      Atomics.wait(nap, 0, 0, 1);
    }
  } finally {
    closeSync(file);
  }
}

function tell(what: object): void {
  appendFileSync(report, `${JSON.stringify(what)}\n`);
}
