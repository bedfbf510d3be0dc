import { expect, it } from "vitest";
import { createPathRedactor } from "../../src/serve/redact-paths.ts";

it("replaces known paths by their names, inner directories first", () => {
  const redact = createPathRedactor([
    { name: "home", path: "/home/me" },
    { name: "notes", path: "/home/me/notes" },
    { name: "none", path: undefined },
  ]);
  expect(redact("/home/me/notes/a.md and /home/me/b, /etc/c")).toBe(
    "<notes>/a.md and <home>/b, /etc/c",
  );
});
