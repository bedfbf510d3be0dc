import { defineConfig } from "tsdown/config";
import { cheapBuiltins } from "../../scripts/build/cheap-builtins.ts";
import { noFacades } from "../../scripts/build/no-facades.ts";
import { thirdPartyLicenses } from "../../scripts/build/third-party-licenses.ts";
import { library } from "../../tsdown.config.ts";

/** Our own files by name: small, because they run before the compile cache is on. */
const BEFORE_CACHE = ["main", "user-directories", "paths"];

/** What only a rare case needs, with the libraries behind it; each stays in a file of its own. */
const RARE = `
  locate-key patch-settings parse-argument settings-edit edit-user-settings
  write-file-atomic with-file-lock add-approval approve-file memory-approve adopt-memory memory-adopt
  git-facts excludes parse
`.split(/\s+/);

/** The very first file, and what it must not wait for. */
const FIRST = ["bin", "node-version", "output-error"];

// Everything is in the bundle, and the usual commands need few files of it: resolving and reading dozens
// would be most of the time until the first answer.
export default defineConfig({
  ...library,
  entry: { bin: "src/bin.ts" },
  dts: false,
  sourcemap: false,
  // Names stay, so that a stack still says where; the rest is only read by Node, which reads less the faster.
  minify: { compress: true, mangle: false, codegen: true },
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: {
    codeSplitting: {
      groups: [
        { name: "start", test: isOursAnd((name) => BEFORE_CACHE.includes(name)) },
        {
          name: "core",
          test: isOursAnd((name) => ![...BEFORE_CACHE, ...RARE, ...FIRST].includes(name)),
        },
      ],
    },
  },
  plugins: [cheapBuiltins(), thirdPartyLicenses(), noFacades()],
});

function isOursAnd(isMeant: (name: string) => boolean): (id: string) => boolean {
  return (id) => {
    const name = /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/].*?([^\\/]+)\.ts$/.exec(id)?.[1];
    return name !== undefined && isMeant(name);
  };
}
