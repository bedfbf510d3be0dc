import type * as ChildProcess from "node:child_process";
import type * as Crypto from "node:crypto";
import * as Net from "node:net";
import { promisify } from "node:util";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import { asciiCode } from "../scripts/build/ascii-code.ts";
import { cheapBuiltins } from "../scripts/build/cheap-builtins.ts";
import { compileEagerly } from "../scripts/build/eager-functions.ts";

const eager = (code: string, ...names: readonly string[]): string =>
  compileEagerly(code, parseAst, new Set(names));

describe("the functions of a start", () => {
  it("become variables at the start of the file, with the functions inside of them", () => {
    const code = `import{a}from"./x.js";use(add(1));function add(n){return[n].map(m=>m+a)}function rare(){}`;
    expect(eager(code, "add")).toBe(
      `import{a}from"./x.js";var add=(function add(n){return[n].map((m=>m+a))});use(add(1));function rare(){}`,
    );
  });

  it("keep what they are: async, generators, arrow functions and numbered names", () => {
    expect(eager("async function* f$1(){yield 1}", "f")).toBe(
      "var f$1=(async function* f$1(){yield 1});",
    );
    expect(eager("const f=async()=>1,g=()=>2", "f")).toBe("const f=(async()=>1),g=()=>2");
  });

  it("leave methods alone, which cannot be in parentheses", () => {
    const code = "const f=()=>({m(){return 1},get g(){return 2},v:()=>3,...class{x=()=>4;n(){}}})";
    expect(eager(code, "f")).toBe(
      "const f=(()=>({m(){return 1},get g(){return 2},v:(()=>3),...class{x=()=>4;n(){}}}))",
    );
  });

  it("leave a function alone that is assigned later, because its own name would hide that", () => {
    const code = "function f(){return f}f=1;";
    expect(eager(code, "f")).toBe(code);
  });
});

describe("a file in ASCII", () => {
  const ascii = (code: string): string => {
    const chunk = { type: "chunk", code };
    asciiCode().generateBundle(undefined, { "a.js": chunk });
    return chunk.code;
  };

  it("keeps strings, templates and patterns", () => {
    const code = "['é–🙂', `ü${1}`, /^[äöü🙂]$/u.test('🙂'), /é/.source === '\\\\u00e9' || 'é']";
    const written = ascii(code);
    expect(written).toMatch(/^[\0-\x7F]+$/);
    // oxlint-disable-next-line no-eval -- both are written above
    expect(eval(written)).toEqual(["é–🙂", "ü1", true, true]);
  });

  it("keeps a backslash apart from the escape", () => {
    const code = String.raw`["\\é", /^\é\\é$/.test("é\\é")]`;
    // oxlint-disable-next-line no-eval -- both are written above
    expect(eval(ascii(code))).toEqual(["\\é", true]);
  });

  it("leaves a file alone where a raw template would show the escapes", () => {
    const code = "String.raw`é`";
    expect(ascii(code)).toBe(code);
  });
});

describe("modules of Node that load many others", () => {
  const load = cheapBuiltins().load;
  const evaluate = async <Module>(name: string): Promise<Module> => {
    const code = load(`\0builtin:${name}\0x`) ?? "";
    return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Module;
  };

  it("load when a function is called, and look like themselves", async () => {
    const { execFile } = await evaluate<typeof ChildProcess>("node:child_process");
    const { stdout } = await promisify(execFile)(process.execPath, ["-p", "1"]);
    expect(stdout).toBe("1\n");
    const { Socket } = await evaluate<typeof Net>("node:net");
    expect(new Socket()).toBeInstanceOf(Net.Socket);
    expect(new Net.Socket()).toBeInstanceOf(Socket);
    const { createHash } = await evaluate<typeof Crypto>("node:crypto");
    expect(createHash("sha256").update("a").digest("hex")).toMatch(/^ca978112/);
  });
});
