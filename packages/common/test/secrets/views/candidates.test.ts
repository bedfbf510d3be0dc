import { expect, it } from "vitest";
import { keepCandidates } from "../../../src/secrets/views/candidates.ts";
import { tokenShapes } from "../token-shapes.ts";

it("keepCandidates keeps every token whole, whatever its characters are", () => {
  for (let seed = 0; seed < 50; seed++) {
    for (const { text } of tokenShapes(seed)) {
      expect(keepCandidates(`use ${text}, please`).text).toContain(text);
    }
  }
});

it.for(["AKIAQWERTYUIOPASDFGH", "glpat-pKaNPETcULQyRjCEbD", "gldt-qwertyuiopasdfghjklzxc"])(
  "keepCandidates keeps %j, which has no digits",
  (token) => {
    expect(keepCandidates(token).text).toBe(token);
  },
);

it("keepCandidates leaves out prose and code", () => {
  const text = "const value = await readConfiguration(workspace.directory); // as before\n";
  expect(keepCandidates(text.repeat(9)).text).toBe("\n");
});
