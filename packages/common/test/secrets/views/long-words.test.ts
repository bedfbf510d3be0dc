import { expect, it } from "vitest";
import { keepLongWords } from "../../../src/secrets/views/long-words.ts";
import { tokenShapes } from "../token-shapes.ts";

it("keepLongWords keeps every token whole, whatever its characters are", () => {
  for (let seed = 0; seed < 50; seed++) {
    for (const { text } of tokenShapes(seed)) {
      expect(keepLongWords(`use ${text}, please`).text).toContain(text);
    }
  }
});

it.for(["AKIAQWERTYUIOPASDFGH", "glpat-pKaNPETcULQyRjCEbD", "gldt-qwertyuiopasdfghjklzxc"])(
  "keepLongWords keeps %j, which has no digits",
  (token) => {
    expect(keepLongWords(token).text).toBe(token);
  },
);

it("keepLongWords leaves out prose and code", () => {
  const text = "const value = await readConfiguration(workspace.directory); // as before\n";
  expect(keepLongWords(text.repeat(9)).text).toBe("\n");
});
