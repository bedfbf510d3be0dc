import { defineConfig } from "tsdown/config";
import { library } from "../../tsdown.config.ts";

export default defineConfig({
  ...library,
  entry: { bin: "src/bin.ts" },
  dts: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
});
