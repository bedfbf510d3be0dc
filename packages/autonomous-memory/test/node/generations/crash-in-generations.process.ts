// Changes a memory, and ends itself with SIGKILL before one of its system calls.
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { interceptedDisk } from "./intercepted-disk.ts";
import { newGeneration, skill } from "./new-generation.ts";

const [directory = "", change = "", at = ""] = process.argv.slice(2);
const disk = interceptedDisk((step) => {
  if (step === Number(at)) process.kill(process.pid, "SIGKILL");
});
const generations = createGenerations({ directory, disk });
const memory = { memoryMd: "- new\n", memorySummary: "- new\n", skills: [skill("new")] };
if (change === "write") await generations.write(newGeneration(memory));
if (change === "undo") await generations.undo();
if (change === "clear") await generations.clear(() => undefined);
process.stdout.write("survived");
