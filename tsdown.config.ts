import { defineConfig } from "tsdown/config";

/** Workspace packages are bundled from their sources. */
export const SOURCE_CONDITIONS: string[] = ["caliban:source", "import", "node", "default"];

/** How every published library is built: ESM with types; the private package is inlined. */
export const library = defineConfig({
  entry: "src/index.ts",
  format: "esm",
  platform: "node",
  target: "node22.19",
  dts: { enabled: true, sourcemap: true },
  sourcemap: true,
  fixedExtension: false,
  // The same names in every build, so that a build from the cache leaves no stale files.
  hash: false,
  inputOptions: { resolve: { conditionNames: SOURCE_CONDITIONS } },
  deps: { onlyBundle: ["@caliban/common"] },
});

export default defineConfig({ workspace: ["packages/*", "apps/*"] });
