import { expect, it } from "vitest";
import { unsupportedNodeMessage } from "../src/node-version.ts";

it.for(["v22.19.0", "v22.20.1", "v24.0.0", "v26.10.0"])("runs on %s", (version) => {
  expect(unsupportedNodeMessage(version)).toBeUndefined();
});

it.for(["v18.20.0", "v20.20.2", "v22.18.9"])("asks for a newer Node on %s", (version) => {
  expect(unsupportedNodeMessage(version)).toBe(
    `caliban needs Node 22.19 or newer, and this is ${version}; install a newer Node and run it again.\n`,
  );
});
