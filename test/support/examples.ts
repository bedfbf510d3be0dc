import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import { fencedBlocks } from "./markdown-blocks.ts";

/** An example as somebody finds it in the repository. */
export interface Example {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  readonly manifest: {
    readonly name: string;
    readonly private: boolean;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  readonly readme: string;
  readonly main: string;
  /** What its README says that it prints. */
  readonly output: string | undefined;
}

/** Every folder below `examples/`. */
export const EXAMPLES: readonly Example[] = readdirSync(join(root, "examples")).map((name) => {
  const directory = join(root, "examples", name);
  const read = (file: string): string => readFileSync(join(directory, file), "utf8");
  const readme = read("README.md");
  return {
    name,
    directory,
    manifest: JSON.parse(read("package.json")) as Example["manifest"],
    readme,
    main: read("main.ts"),
    output: fencedBlocks(readme).find(({ language }) => language === "text")?.code,
  };
});

/** A machine without a key, on which the examples run on what stands in for a model. */
export function withoutKey(temporary: string): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { PATH, SystemRoot, TMPDIR: temporary, TEMP: temporary, NODE_NO_WARNINGS: "1" };
}
