import { EDITING_PROMISES } from "./edit-cases.ts";
import { INDEX_PROMISES } from "./index-cases.ts";
import { NAME_PROMISES } from "./name-cases.ts";
import type { CreateStore } from "./topic-fixtures.ts";
import { WRITING_PROMISES } from "./write-cases.ts";

/** One promise of the interface, to be handed to any test runner: `it(name, run)`. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** What every TopicStore promises. */
export function topicStoreCases(createStore: CreateStore): readonly ContractCase[] {
  const promises = {
    ...WRITING_PROMISES,
    ...EDITING_PROMISES,
    ...NAME_PROMISES,
    ...INDEX_PROMISES,
  };
  return Object.entries(promises).map(([name, promise]) => ({
    name,
    run: () => promise(createStore),
  }));
}
