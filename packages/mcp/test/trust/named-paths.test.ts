import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isRunner, namedPaths } from "../../src/trust/named-paths.ts";

it.for([
  ["./tools/server.js", "./tools/server.js"],
  ["tools/server.js", "tools/server.js"],
  ["my server.js", "my server.js"],
  ["--config=./x.json", "./x.json"],
  ["--config=./my x.json", "./my x.json"],
  ["--define=a=./x.json", "./x.json"],
  ["-c./x.json", "./x.json"],
  ["@./x.json", "./x.json"],
  ["file:///w/x.mjs", "/w/x.mjs"],
  ["./data:/data:ro", "./data"],
  ["a.js,b.js", "b.js"],
  ["node ./tools/server.js --port 1", "./tools/server.js"],
  ['node "./my tools/server.js"; true', "./my tools/server.js"],
  ["node ./my\\ tools/server.js", "./my tools/server.js"],
  ["cat $(./bin/x)|sh", "./bin/x"],
  ["--require ./evil.js", "./evil.js"],
  ["tools.server", "tools/server"],
  ["@scope/server@1.2.3", "@scope/server"],
  ["server@latest", "server"],
  ["--import=./a%2Ejs", "./a.js"],
  ["file:///w/%78.mjs", "/w/x.mjs"],
  ["./x.mjs?v=1", "./x.mjs"],
  ["./x.mjs#v", "./x.mjs"],
  ["-mtools.server", "tools/server"],
  ["./to''ols/x.sh", "./tools/x.sh"],
  ["./to\\ols/x.sh", "./tools/x.sh"],
  ["exec $PWD/tools/x.sh", "tools/x.sh"],
  ["exec $(pwd)/tools/x.sh", "tools/x.sh"],
] as const)("finds in %j the path %j", ([text, expected]) => {
  expect(namedPaths(text)).toContain(expected);
});

it("never returns a path that no file can have", () => {
  expect(namedPaths("./a%00.js ./b%zz.js")).toEqual(
    expect.not.arrayContaining([expect.stringContaining("\0") as string]),
  );
});

it("finds a path anywhere among words and separators", () => {
  const path = fc.constantFrom("./a.js", "b/c", "d");
  const separator = fc.constantFrom(" ", '"', "'", "=", ";", ",", ":", "(", "&&", "\n", ">");
  fc.assert(
    fc.property(fc.array(fc.tuple(separator, path), { minLength: 1, maxLength: 4 }), (parts) => {
      const text = `${parts.map((part) => part.join("")).join("")} `;
      for (const [, expected] of parts) expect(namedPaths(text)).toContain(expected);
    }),
  );
});

it.for([
  ["npm", true],
  ["/usr/bin/make", true],
  ["C:\\bin\\NPX.cmd", true],
  ["node", false],
  ["mynpm", false],
] as const)(
  "knows whether %s takes orders from files in its directory: %s",
  ([command, expected]) => {
    expect(isRunner(command)).toBe(expected);
  },
);
