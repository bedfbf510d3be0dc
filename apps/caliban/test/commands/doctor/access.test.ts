import { chmod } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { constants } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { accessError, findProgram } from "../../../src/commands/doctor/access.ts";

describe("findProgram", () => {
  it("returns the first executable in PATH, or an absolute path itself", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, { "a/tool": "", "b/tool": "", "c/tool": "", "b/other.CMD": "" });
    for (const name of ["b/tool", "c/tool", "b/other.CMD"]) await chmod(join(root, name), 0o755);
    const PATH = ["a", "b", "c"].map((name) => join(root, name)).join(delimiter);
    const env = { PATH: `${delimiter}${PATH}` };
    const linux = { env, platform: "linux" };
    expect(findProgram(linux, "tool")).toBe(join(root, "b/tool"));
    expect(findProgram(linux, join(root, "c/tool"))).toBe(join(root, "c/tool"));
    expect(findProgram(linux, join(root, "a/tool"))).toBeUndefined();
    expect(findProgram(linux, "other")).toBeUndefined();
    expect(findProgram({ env, platform: "win32" }, "other")).toBe(join(root, "b/other.CMD"));
    expect(findProgram({ env: {}, platform: "linux" }, "tool")).toBeUndefined();
  });
});

describe("accessError", () => {
  it("returns the code of the system", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, { file: "" });
    expect(accessError(root, constants.R_OK)).toBeUndefined();
    expect(accessError(join(root, "missing"), constants.F_OK)).toBe("ENOENT");
    expect(accessError(join(root, "file/below"), constants.F_OK)).toBe("ENOTDIR");
  });
});
