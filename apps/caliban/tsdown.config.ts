import { defineConfig } from "tsdown/config";
import { thirdPartyLicenses } from "../../scripts/build/third-party-licenses.ts";
import { library } from "../../tsdown.config.ts";

// One bundle with everything in it: resolving and reading dozens of files would be most of the start-up time.
export default defineConfig({
  ...library,
  entry: { bin: "src/bin.ts" },
  dts: false,
  sourcemap: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  plugins: [thirdPartyLicenses()],
});
