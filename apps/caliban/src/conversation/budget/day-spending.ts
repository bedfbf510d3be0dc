import { join } from "node:path";
import { parseJsonRecord } from "@caliban/common";
import { readTextFile, withFileLock, writeFileAtomic } from "@caliban/common/node";

const MAX_BYTES = 4096;

/** What was spent on a day in all projects and processes, in `<state>/spending.json`. */
export interface DaySpending {
  readonly read: () => number;
  /** Adds to the day's sum and returns it. */
  readonly add: (dollars: number) => Promise<number>;
}

/** Opens the sum of one day, `2026-11-18`. The sum of an earlier day is replaced by the first amount of a new one. */
export function openDaySpending(stateDirectory: string, day: string): DaySpending {
  const path = join(stateDirectory, "spending.json");
  const read = (): number => {
    const file = readTextFile(path, MAX_BYTES);
    const record = file.kind === "text" ? parseJsonRecord(file.text) : undefined;
    const dollars = record?.["day"] === day ? record["dollars"] : undefined;
    return typeof dollars === "number" && dollars > 0 ? dollars : 0;
  };
  return {
    read,
    // Two processes that add at the same time must both be counted.
    add: async (dollars) =>
      await withFileLock(path, async () => {
        const sum = read() + dollars;
        await writeFileAtomic(path, `${JSON.stringify({ version: 1, day, dollars: sum })}\n`);
        return sum;
      }),
  };
}
