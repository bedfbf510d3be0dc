import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Bundle {
  readonly getModuleIds: () => Iterable<string>;
  readonly emitFile: (file: {
    readonly type: "asset";
    readonly fileName: string;
    readonly source: string;
  }) => void;
}

/** Writes beside a bundle the licence of every package whose code ended up in it. */
export function thirdPartyLicenses() {
  return {
    name: "third-party-licenses",
    generateBundle(this: Bundle): void {
      const directories = new Set(
        [...this.getModuleIds()].flatMap((id) => packageDirectory(id) ?? []),
      );
      const source = [...directories]
        .map(notice)
        .toSorted()
        .join(`\n${"-".repeat(72)}\n\n`);
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES.txt", source });
    },
  };
}

function packageDirectory(moduleId: string): string | undefined {
  // Modules that a plugin made up begin with a NUL.
  if (moduleId.startsWith("\0")) return undefined;
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId)?.[0];
}

function notice(directory: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(directory, "package.json"), "utf8"),
  );
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, but has no licence file to hand on`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(directory, file), "utf8").trim()}\n`;
}
