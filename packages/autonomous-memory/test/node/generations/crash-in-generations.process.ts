// Changes a memory, and kills itself before one of its system calls; otherwise prints how many there were.
import type { ExamResult } from "../../../src/generation/exam-result.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { interceptedDisk } from "./intercepted-disk.ts";
import { newGeneration, skill } from "./new-generation.ts";

const [directory = "", change = "", at = ""] = process.argv.slice(2);
let steps = 0;
const disk = interceptedDisk((step) => {
  steps = step + 1;
  if (step === Number(at)) process.kill(process.pid, "SIGKILL");
});
const generations = createGenerations({ directory, disk });
const memory = { memoryMd: "- new\n", memorySummary: "- new\n", skills: [skill("new")] };
if (change === "write") await generations.write(newGeneration(memory));
if (change === "reject") {
  const exam = (): ExamResult => ({ asked: 2, foundBefore: 2, foundAfter: 1, lost: ["old"] });
  await generations.write(newGeneration(memory, { exam }));
}
if (change === "undo") await generations.undo();
if (change === "clear") await generations.clear(() => undefined);
process.stdout.write(String(steps));
