import { describe, expect, it } from "vitest";
import { isAllowedHost, isNamedHost } from "../../src/sandbox/allowed-hosts.ts";

const ALLOWED = ["registry.npmjs.org", "*.example.com", "localhost:8080", "::1", "[fd00::1]:8080"];

describe("the hosts that a command may reach", () => {
  it.for([
    ["registry.npmjs.org", 443, true],
    ["Registry.NPMJS.org.", 80, true],
    ["registry.npmjs.org", 22, false],
    ["npmjs.org", 443, false],
    ["registry.npmjs.org.evil.com", 443, false],
    ["evilregistry.npmjs.org", 443, false],
    ["a.example.com", 443, true],
    ["a.b.example.com", 443, true],
    ["example.com", 443, false],
    ["evilexample.com", 443, false],
    [".example.com", 443, false],
    // The part after the percent sign is not a domain, and the system ignores it.
    ["2001:db8::1%a.example.com", 443, false],
    ["::ffff:192.0.2.1%.example.com", 443, false],
    ["::1", 443, true],
    ["[::1]", 443, true],
    ["::1", 1, false],
    ["fd00::1", 8080, true],
    ["fd00::1", 443, false],
    ["localhost", 8080, true],
    ["localhost", 443, false],
    ["", 443, false],
  ] as const)("%s:%d: %s", ([host, port, isAllowed]) => {
    expect(isAllowedHost({ host, port }, ALLOWED)).toBe(isAllowed);
  });

  it("allows no host by default", () => {
    expect(isAllowedHost({ host: "example.com", port: 443 }, [])).toBe(false);
    expect(isAllowedHost({ host: "example.com", port: 443 }, [""])).toBe(false);
  });

  it("recognizes a host that an entry names itself", () => {
    expect(isNamedHost("LOCALHOST", ALLOWED)).toBe(true);
    expect(isNamedHost("a.example.com", ALLOWED)).toBe(false);
  });
});
