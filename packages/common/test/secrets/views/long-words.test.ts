import { expect, it } from "vitest";
import { keepTokens } from "../../../src/secrets/views/long-words.ts";
import { tokenShapes } from "../token-shapes.ts";

it("keepTokens keeps every token whole, whatever its characters are", () => {
  for (let seed = 0; seed < 50; seed++) {
    for (const { text } of tokenShapes(seed)) {
      expect(keepTokens(`use ${text}, please`).text).toContain(text);
    }
  }
});

it.for(["AKIAQWERTYUIOPASDFGH", "glpat-pKaNPETcULQyRjCEbD", "gldt-qwertyuiopasdfghjklzxc"])(
  "keepTokens keeps %j, which has no digits",
  (token) => {
    expect(keepTokens(token).text).toBe(token);
  },
);

it("keepTokens leaves out prose and code", () => {
  const text = "const value = await readConfiguration(workspace.directory); // as before\n";
  expect(keepTokens(text.repeat(9)).text).toBe("\n");
});
