import { defineConfig } from "tsdown/config";

/** How every published library is built: ESM, types beside it, the private package inlined. */
export const library = defineConfig({
  entry: "src/index.ts",
  format: "esm",
  platform: "node",
  target: "node22.19",
  dts: { enabled: true, sourcemap: true },
  sourcemap: true,
  fixedExtension: false,
  // The same names each time: a build from the cache then leaves nothing of an older one behind.
  hash: false,
  inputOptions: { resolve: { conditionNames: ["caliban:source", "import", "node", "default"] } },
  deps: { onlyBundle: ["@caliban/common"] },
});

export default defineConfig({ workspace: ["packages/*", "apps/*"] });
