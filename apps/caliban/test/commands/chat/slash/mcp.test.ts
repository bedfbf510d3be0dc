import { expect, it } from "vitest";
import { renderServers } from "../../../../src/commands/chat/slash/mcp.ts";

it("shows the state, endpoint, last error and problems of a server in terminal-safe lines", () => {
  const text = renderServers([
    {
      name: "x",
      source: "~/s.toml",
      endpoint: "run \u001B[31mme",
      kind: "connected",
      label: "connected",
      offeredTools: 1,
      change: "",
      failure: "rejected tools/list",
      problems: ["ignored a"],
    },
  ]);
  expect(text).toBe(
    "x: connected, 1 tool offered\n  run \\u{1b}[31mme (from ~/s.toml)\n  last error: rejected tools/list\n  ignored a",
  );
});
