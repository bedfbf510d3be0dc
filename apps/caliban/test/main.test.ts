import { expect, it } from "vitest";
import { programName, restartCommand } from "../src/main.ts";

it("names the program as the user started it", () => {
  const env = {
    npm_lifecycle_event: "start",
    npm_package_name: "caliban-workspace",
    npm_package_json: "/clone/package.json",
  };
  expect(programName(env, "/clone")).toBe("npm start --");
  expect(programName(env, "/home/me/app")).toBe("caliban");
  expect(programName({ ...env, npm_package_name: "app" }, "/clone")).toBe("caliban");
  expect(programName({}, undefined)).toBe("caliban");
});

it.for([
  ["Node", ["/bin/node", "/app/bin.js", "memory"], ["/bin/node", "--flag", "/app/bin.js"]],
  ["the executable", ["bun", "/$bunfs/root/caliban", "memory"], ["/bin/node"]],
  ["the executable on Windows", ["bun", "B:/~BUN/root/caliban.exe"], ["/bin/node"]],
] as const)("starts itself again as it was started: %s", ([, argv, words]) => {
  const machine = { execPath: "/bin/node", execArgv: ["--flag"], argv: [...argv] };
  expect(restartCommand(machine)).toEqual(words);
});
