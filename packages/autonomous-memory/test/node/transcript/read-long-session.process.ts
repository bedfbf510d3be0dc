import type { SessionMessage } from "@caliban/sessions";
import { readTurns } from "../../../src/node/transcript/read-turns.ts";

// Large results, of which the ends are kept, and many small ones, each with a different text.
async function* messages(): AsyncGenerator<SessionMessage> {
  for (let at = 0; at < 80; at++) yield result(`${at} is a line of it\n`.repeat(40_000));
  for (let at = 0; at < 20_000; at++) yield result(`${at} is a line of it\n`.repeat(100));
}

function result(text: string): SessionMessage {
  // Copied, because a repeated text is not materialized before it is read; small enough to stay on the heap, as text from a
  // file does.
  const copy = Buffer.from(text).toString();
  return { role: "tool", results: [{ id: "1", name: "Bash", text: copy, isError: false }] };
}

const { turns, omittedTurns } = await readTurns(messages(), { maxBytes: 32_000 });
process.stdout.write(JSON.stringify({ seenTurns: turns.length + omittedTurns }));
