import { describe, expect, it } from "vitest";
import { seccompFilter } from "../../src/sandbox/seccomp-filter.ts";

const X64 = 0xc000_003e;
const ARM64 = 0xc000_00b7;
const I386 = 0x4000_0003;

/** Runs a filter as the kernel does. */
function decide(
  filter: Uint8Array<ArrayBuffer>,
  [arch, call, argument]: readonly number[],
): string {
  const view = new DataView(filter.buffer);
  let [accumulator, at] = [0, 0];
  for (;;) {
    const code = view.getUint16(at, true);
    const value = view.getUint32(at + 4, true);
    if (code === 0x06) return OUTCOMES[value] ?? value.toString(16);
    if (code === 0x20) accumulator = ({ 0: call, 4: arch, 16: argument }[value] ?? 0) >>> 0;
    const holds = code === 0x15 ? accumulator === value : accumulator >= value;
    at += 8 * (1 + (code === 0x20 ? 0 : view.getUint8(at + (holds ? 2 : 3))));
  }
}

const OUTCOMES: Readonly<Record<number, string>> = {
  0x7fff_0000: "allowed",
  0x0005_0026: "not implemented",
  0x0005_0061: "family not supported",
};

describe("the filter for system calls", () => {
  it.for([
    // Unix, IPv4, IPv6 and netlink sockets; virtual machines, Bluetooth, cryptography and raw packets.
    ...[1, 2, 10, 16].map((family) => ["x64", X64, 41, family, "allowed"] as const),
    ...[40, 31, 38, 17].map((family) => ["x64", X64, 41, family, "family not supported"] as const),
    ["arm64", ARM64, 198, 2, "allowed"],
    ["arm64", ARM64, 198, 40, "family not supported"],
    // Keys of the kernel, and io_uring.
    ...[248, 249, 250, 425].map((call) => ["x64", X64, call, 0, "not implemented"] as const),
    ...[217, 218, 219, 425].map((call) => ["arm64", ARM64, call, 0, "not implemented"] as const),
    // A 32-bit program, and another calling convention.
    ["x64", I386, 102, 1, "not implemented"],
    ["x64", X64, 0x4000_0029, 2, "not implemented"],
    // Everything else.
    ["x64", X64, 0, 40, "allowed"],
    ["x64", X64, 59, 0, "allowed"],
    ["arm64", ARM64, 41, 40, "allowed"],
  ] as const)(
    "decides on %s about architecture %d, call %d with %d: %s",
    ([name, arch, call, argument, outcome]) => {
      const filter = seccompFilter(name);
      expect(filter && decide(filter, [arch, call, argument])).toBe(outcome);
    },
  );

  it("exists for common processors only", () => {
    expect(seccompFilter("riscv64")).toBeUndefined();
  });
});
