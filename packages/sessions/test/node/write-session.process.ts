// Appends to a session until it is killed, and prints the number of each written message.
import { writeSync } from "node:fs";
import { createSessionId, parseSessionId } from "../../src/identity/session-id.ts";
import { createSessionWriter } from "../../src/node/create-session-writer.ts";
import { resumeSession } from "../../src/node/resume-session.ts";
import type { SessionWriter } from "../../src/node/session-writer.ts";

const [directory = "", name = "", mode = "", maxMessages = "1000000"] = process.argv.slice(2);
const id = parseSessionId(name);
const facts = { workspace: "/app", cwd: "/app", model: "a/b", version: "1.2.3" };
const dependencies = {
  now: () => Date.now(),
  onFailure: (message: string) => void writeSync(1, `${message}\n`),
};

async function open(): Promise<{ readonly writer: SessionWriter; readonly count: number }> {
  if (mode === "new") {
    const input = { id, directory: async () => directory, facts, ...dependencies };
    return { writer: createSessionWriter(input), count: 0 };
  }
  const createId = () => createSessionId(Date.now(), Math.random);
  const { writer, messages } = await resumeSession({
    directory,
    id,
    facts,
    createId,
    ...dependencies,
  });
  return { writer, count: messages.length };
}

const { writer, count } = await open();
await writer.open();
for (let next = count + 1; next <= count + Number(maxMessages); next++) {
  const text = `${next} ${"é".repeat((next % 7) * 4_000)}`;
  writer.append({ type: "message", message: { role: "user", text } });
  writeSync(1, `${next}\n`);
}
// Keeps the session open until it is killed.
setInterval(() => undefined, 1_000);
