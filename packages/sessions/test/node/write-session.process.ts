// Goes on with a session until it is killed, and says of each message that it is written. Not a test itself.
import { writeSync } from "node:fs";
import { createSessionId, parseSessionId } from "../../src/session-id.ts";
import { createSessionWriter } from "../../src/node/create-session-writer.ts";
import { resumeSession } from "../../src/node/resume-session.ts";
import type { SessionWriter } from "../../src/node/session-writer.ts";

const [directory = "", name = "", how = "", most = "1000000"] = process.argv.slice(2);
const id = parseSessionId(name);
const facts = { workspace: "/app", cwd: "/app", model: "a/b", version: "1.2.3" };
const surroundings = {
  now: () => Date.now(),
  onFailure: (sentence: string) => void writeSync(1, `${sentence}\n`),
};

async function open(): Promise<{ readonly writer: SessionWriter; readonly count: number }> {
  if (how === "new") {
    const input = { id, directory: async () => directory, facts, ...surroundings };
    return { writer: createSessionWriter(input), count: 0 };
  }
  const createId = () => createSessionId(Date.now(), Math.random);
  const { writer, messages } = await resumeSession({
    directory,
    id,
    facts,
    createId,
    ...surroundings,
  });
  return { writer, count: messages.length };
}

const { writer, count } = await open();
await writer.open();
for (let next = count + 1; next <= count + Number(most); next++) {
  const text = `${next} ${"é".repeat((next % 7) * 4_000)}`;
  writer.append({ type: "message", message: { role: "user", text } });
  writeSync(1, `${next}\n`);
}
// Keeps the session until it is killed.
setInterval(() => undefined, 1_000);
