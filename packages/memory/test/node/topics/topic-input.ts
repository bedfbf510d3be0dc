import type { WriteTopicInput } from "../../../src/store/topic-store.ts";

/** A topic to write. Processes that tests start import this file, so it does not import vitest. */
export function topic(name: string, body = `About ${name}.`): WriteTopicInput {
  return { name, description: `what ${name} is`, type: "project", body, author: { who: "agent" } };
}
