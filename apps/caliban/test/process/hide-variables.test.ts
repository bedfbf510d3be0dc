import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src/process/hide-variables.ts");
const KEY = "sk-test-0123456789abcdef";

it.runIf(process.platform === "linux")(
  "hides keys from programs that look at the environment of this process, and from its children",
  () => {
    const script = `
      import { execFileSync } from "node:child_process";
      import { hideVariables } from ${JSON.stringify(SOURCE)};
      const look = () => execFileSync("sh", ["-c", "tr '\\\\0' '\\\\n' < /proc/$PPID/environ; env"], { encoding: "utf8" });
      const before = look();
      hideVariables(process, ["PROVIDER_KEY", "UNSET"]);
      console.log(JSON.stringify([before, look()]));`;
    const output = execFileSync(
      process.execPath,
      ["--conditions=caliban:source", "--input-type=module", "--eval", script],
      {
        env: { PATH: process.env["PATH"], PROVIDER_KEY: KEY, COPY: KEY, OTHER: "kept" },
        encoding: "utf8",
      },
    );
    const [before, after]: readonly [string, string] = JSON.parse(output);
    expect(before.match(new RegExp(KEY, "g"))).toHaveLength(4);
    expect(after).not.toContain(KEY);
    expect(after.match(/^OTHER=kept$/gm)).toHaveLength(2);
  },
);
