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
  inputOptions: { resolve: { conditionNames: ["caliban:source", "import", "node", "default"] } },
  deps: { onlyBundle: ["@caliban/common"] },
});

export default defineConfig({ workspace: ["packages/*", "apps/*"] });
