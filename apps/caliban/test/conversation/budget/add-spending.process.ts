import { openDaySpending } from "../../../src/conversation/budget/day-spending.ts";

// Adds amounts in its own process. day-spending.test.ts starts several at once.
const [directory = "", day = ""] = process.argv.slice(2);
for (let count = 0; count < 5; count++) await openDaySpending(directory, day).add(0.25);
