import { MemoryError } from "@caliban/memory";
import { expect, it } from "vitest";
import { createAnswerer } from "../../src/serve/answer-requests.ts";
import type { ClientView } from "../../src/serve/client-view.ts";
import { createPathRedactor } from "../../src/serve/hide-paths.ts";
import { createRequestQueue } from "../../src/serve/request-queue.ts";

const hidePlaces = createPathRedactor([{ name: "home", path: "/home/p" }]);

it.for([
  [new MemoryError("REFUSED_FILE", "/home/p/notes/a.md cannot be used"), "cannot be used.", []],
  [new Error("at /home/p/caliban"), "Something is wrong in caliban itself", ["/home/p/caliban"]],
] as const)("%s is told to a client without a place of the disk", async ([error, words, heard]) => {
  const said: string[] = [];
  const answer = createAnswerer({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the project is all that is looked at
    side: async () => ({ project: { hidePlaces } }) as ClientView,
    work: createRequestQueue(async () => undefined),
    say: (line) => void said.push(line),
  });
  const request = answer(async () => await Promise.reject(error));
  const { signal } = new AbortController();
  const told = await request({}, { signal }).catch((failure: unknown) => String(failure));
  expect(told).toContain(words);
  expect(told).not.toContain("/home/p");
  for (const line of heard) expect(said.join("\n")).toContain(line);
});
