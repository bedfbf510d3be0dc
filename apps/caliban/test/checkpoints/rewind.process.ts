// Rewinds a session to its first message, and kills itself before one of its system calls; otherwise prints how many there were.
import { interceptedDisk } from "../../../../packages/autonomous-memory/test/node/generations/intercepted-disk.ts";
import { openStoredSession } from "./stored-session.ts";

const [home = "", at = ""] = process.argv.slice(2);
let steps = 0;
const disk = interceptedDisk((step) => {
  steps = step + 1;
  if (step !== Number(at)) return;
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment; nothing else happens meanwhile.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
const session = await openStoredSession(home, { disk });
await session.rewind("m1");
await session.close();
process.stdout.write(String(steps));
