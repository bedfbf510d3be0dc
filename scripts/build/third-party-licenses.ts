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

const FILE_NAME = "THIRD-PARTY-LICENSES.txt";
const SEPARATOR = `\n${"-".repeat(72)}\n\n`;

/** Writes the licenses of all bundled packages next to the bundle, and those of other bundles that are part of it. */
export function thirdPartyLicenses(includedBundles: readonly string[] = []) {
  return {
    name: "third-party-licenses",
    generateBundle(this: Bundle): void {
      const directories = new Set(
        [...this.getModuleIds()].flatMap((id) => packageDirectory(id) ?? []),
      );
      const packages = [...directories].map(readPackage);
      const included = includedBundles.flatMap((directory) =>
        readFileSync(join(directory, FILE_NAME), "utf8").split(SEPARATOR),
      );
      const notices = packages.map((bundled) => notice(bundled, packages));
      const source = [...new Set([...notices, ...included])].toSorted().join(SEPARATOR);
      this.emitFile({ type: "asset", fileName: FILE_NAME, source });
    },
  };
}

function packageDirectory(moduleId: string): string | undefined {
  // The ids of virtual modules start with a NUL.
  if (moduleId.startsWith("\0")) return undefined;
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId)?.[0];
}

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: string | { readonly name: string };
  readonly repository?: { readonly url?: string };
  /** The text of its license file, if it has one. */
  readonly text: string | undefined;
}

function readPackage(directory: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? undefined : readFileSync(join(directory, file), "utf8");
  return { ...manifest, text };
}

function notice(bundled: BundledPackage, all: readonly BundledPackage[]): string {
  const { name, version, license } = bundled;
  const text = bundled.text ?? siblingText(bundled, all) ?? statedText(bundled);
  if (text === undefined) throw new Error(`${name} is bundled but has no license text`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** Some repositories publish several packages and include the file in only one of them. */
function siblingText(
  { license, repository }: BundledPackage,
  all: readonly BundledPackage[],
): string | undefined {
  if (repository?.url === undefined) return undefined;
  return all.find(
    (other) =>
      other.license === license &&
      other.repository?.url === repository.url &&
      other.text !== undefined,
  )?.text;
}

const OWN_LICENSE = new URL("../../LICENSE", import.meta.url);

/** The MIT license differs only in the copyright holder. */
function statedText({ license, author }: BundledPackage): string | undefined {
  const holder = typeof author === "string" ? author : author?.name;
  if (license !== "MIT" || holder === undefined) return undefined;
  return readFileSync(OWN_LICENSE, "utf8").replace(/^Copyright.*$/m, `Copyright (c) ${holder}`);
}
