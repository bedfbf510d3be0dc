import { defineConfig } from "tsdown/config";

/** Workspace packages are bundled from their sources. */
export const SOURCE_CONDITIONS: string[] = ["caliban:source", "import", "node", "default"];

/** How every published library is built: ESM with types; the private package is inlined. */
export const library = defineConfig({
  entry: "src/index.ts",
  format: "esm",
  platform: "node",
  target: "node22.19",
  // No source maps: they would point to files that are not published, and be larger than the code, which is readable.
  dts: { enabled: true, sourcemap: false },
  sourcemap: false,
  fixedExtension: false,
  // The same names in every build, so that a build from the cache leaves no stale files.
  hash: false,
  inputOptions: { resolve: { conditionNames: SOURCE_CONDITIONS } },
  deps: { onlyBundle: ["@caliban/common"] },
});

export default defineConfig({ workspace: ["packages/*", "apps/*"] });
