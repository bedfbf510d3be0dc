import { EXERCISES, type LoadEntry, outcomeOf } from "./exercises.ts";

// Runs inside Node, Bun or Deno, next to installed packages. The parent process reads the lines.

const load = (async (name: string) => await import(name)) as LoadEntry;

for (const exercise of EXERCISES) {
  const outcome = await outcomeOf(exercise, load);
  const isPassed = JSON.stringify(outcome) === JSON.stringify(exercise.expected);
  const line = `${isPassed ? "✓" : "✗"} ${exercise.entry}: ${exercise.title}`;
  // oxlint-disable-next-line no-console -- a program
  console.log(isPassed ? line : `${line}\n${JSON.stringify(outcome, undefined, 2)}`);
}
