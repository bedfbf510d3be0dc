import { describe, expect, it } from "vitest";
import { findDeniedAccess } from "../../src/sandbox/denied-access.ts";

const OFF = { kind: "off" } as const;

describe("the access that a failed command lacked", () => {
  it.for([
    ["touch: cannot touch 'x': Read-only file system", "write"],
    ["Error: EROFS: read-only file system, open 'x'", "write"],
    ["mv: cannot move 'a' to 'b': Device or resource busy", "write"],
    ["curl: (6) Could not resolve host: example.com", "network"],
    ["npm error code EAI_AGAIN", "network"],
    ["Temporary failure in name resolution", "network"],
    ["cat: .ssh/id: Permission denied", "other"],
    ["Error: EPERM: operation not permitted", "other"],
    ["1 test failed", undefined],
  ] as const)("is found in %j: %s", ([output, denied]) => {
    expect(findDeniedAccess(output, { failed: true, network: OFF })).toBe(denied);
  });

  it("counts in a command that succeeded only if a file system was read-only", () => {
    const succeeded = { failed: false, network: OFF };
    expect(findDeniedAccess("EROFS in the middle of a pipe", succeeded)).toBe("write");
    expect(findDeniedAccess("Permission denied", succeeded)).toBeUndefined();
  });

  it("includes hosts that the proxy refuses", () => {
    const network = { kind: "proxy", port: 3128, directHosts: [] } as const;
    const output = "CONNECT tunnel failed, response 403 from proxy";
    expect(findDeniedAccess(output, { failed: true, network })).toBe("network");
  });
});
