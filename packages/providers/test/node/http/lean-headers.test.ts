import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeanHeaders } from "../../../src/node/http/lean-headers.ts";

const names = fc.constantFrom("a", "A", "b", "Content-Type", "content-type");
const values = fc.constantFrom("", "1", " two ", "x, y");
const steps = fc.array(fc.tuple(fc.constantFrom("set", "append", "delete"), names, values), {
  maxLength: 6,
});

describe("lean headers", () => {
  it("behaves like the global Headers for any sequence of operations", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values), { maxLength: 4 }), steps, (init, changes) => {
        const lean = LeanHeaders(init);
        const real = new Headers(init);
        for (const [step, name, value] of changes) {
          lean[step](name, value);
          real[step](name, value);
        }
        expect(Object.fromEntries(lean)).toEqual(Object.fromEntries(real));
        for (const name of ["a", "A", "b", "CONTENT-TYPE", "z"]) {
          expect([lean.get(name), lean.has(name)]).toEqual([real.get(name), real.has(name)]);
        }
      }),
    );
  });

  it("can be created from a record, and with `new`", () => {
    // As the AI SDK's code does, which is no TypeScript when it is bundled.
    const made: unknown = Reflect.construct(LeanHeaders, [{ "User-Agent": "x", b: "1" }]);
    expect(Object.fromEntries(made as Iterable<[string, string]>)).toEqual({
      "user-agent": "x",
      b: "1",
    });
    const seen: string[] = [];
    LeanHeaders({ A: "1", B: "2" }).forEach((value, name) => seen.push(`${name}=${value}`));
    expect(seen).toEqual(["a=1", "b=2"]);
    expect([...LeanHeaders({ A: "1" }).keys()]).toEqual(["a"]);
    expect([...LeanHeaders({ A: "1" }).values()]).toEqual(["1"]);
    expect({} instanceof LeanHeaders).toBe(false);
  });
});
