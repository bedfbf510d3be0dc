import { checkArguments } from "../check-arguments.ts";
import type { CreateBackend } from "./backend/backend-fixtures.ts";
import { COMMIT_CASES } from "./backend/commit-cases.ts";
import { HISTORY_CASES } from "./backend/history-cases.ts";
import { LIST_CASES } from "./backend/list-cases.ts";
import { RACE_CASES } from "./backend/race-cases.ts";
import { TEXT_CASES } from "./backend/text-cases.ts";
import { WATCH_CASES } from "./backend/watch-cases.ts";
import type { ContractCase } from "./topic-store-cases.ts";

/**
 * The contract that every TopicBackend fulfills, including races. A failure names the broken promise. With `reopen`,
 * several instances race on the same data.
 */
export function topicBackendCases(createBackend: CreateBackend): readonly ContractCase[] {
  checkArguments("topicBackendCases", { createBackend }, { createBackend: "function" });
  const cases = {
    ...LIST_CASES,
    ...TEXT_CASES,
    ...COMMIT_CASES,
    ...HISTORY_CASES,
    ...RACE_CASES,
    ...WATCH_CASES,
  };
  return Object.entries(cases).map(([name, runCase]) => ({
    name,
    run: () => runCase(createBackend),
  }));
}
