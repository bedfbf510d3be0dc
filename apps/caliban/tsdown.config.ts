import { defineConfig } from "tsdown/config";
import { cheapBuiltins } from "../../scripts/build/cheap-builtins.ts";
import { thirdPartyLicenses } from "../../scripts/build/third-party-licenses.ts";
import { library } from "../../tsdown.config.ts";

const OURS = /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/]/;
// Small, because it runs before the compile cache is on.
const BEFORE_CACHE = /[\\/](?:main|user-directories|paths)\.ts$/;
// The first file, and what pulls in a library for a rare case: each stays in a file of its own.
const APART =
  /[\\/](?:bin|node-version|output-error|parse-file|locate-key|patch-settings|parse-argument|excludes|settings-edit)\.ts$/;

// Everything is in the bundle, and the usual commands need three files of it: resolving and reading dozens
// would be most of the time until the first answer.
export default defineConfig({
  ...library,
  entry: { bin: "src/bin.ts" },
  dts: false,
  sourcemap: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: {
    codeSplitting: {
      groups: [
        { name: "start", test: (id) => OURS.test(id) && BEFORE_CACHE.test(id) },
        { name: "core", test: (id) => OURS.test(id) && !APART.test(id) && !BEFORE_CACHE.test(id) },
      ],
    },
  },
  plugins: [cheapBuiltins(), thirdPartyLicenses()],
});
