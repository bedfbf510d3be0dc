import { expect, it } from "vitest";
import { lostOutput } from "../src/output-error.ts";

it("takes a reader that has seen enough for a good end, and anything else for a failure", () => {
  expect(lostOutput(Object.assign(new Error("x"), { code: "EPIPE" }))).toEqual({
    exitCode: 0,
    message: "",
  });
  expect(lostOutput(Object.assign(new Error("x"), { code: "ENOSPC" }))).toEqual({
    exitCode: 1,
    message: "caliban: the output cannot be written (ENOSPC)\n",
  });
});
