// Acts like an agent that ignores our lock: writes topics in place and by rename, and adds lines to the index.
import { appendFileSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
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
  appendFileSync(join(directory, "MEMORY.md"), line);
  tell({ line });
}

function tell(what: object): void {
  appendFileSync(report, `${JSON.stringify(what)}\n`);
}
