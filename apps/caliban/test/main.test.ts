import { expect, it } from "vitest";
import { programName } from "../src/main.ts";

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
