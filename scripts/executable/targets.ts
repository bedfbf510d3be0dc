/** The release of Bun whose runtime is in the executable. `pnpm runtimes` runs the packages in the same one. */
export const BUN_VERSION = "1.4.4";

/** A platform that gets an executable. */
export interface Target {
  /** As Node calls the platform: `process.platform` and `process.arch`. */
  readonly name: string;
  /** As Bun calls it. */
  readonly bunTarget: string;
  /** The package with Bun for this platform, and what npm must have stored under this version. */
  readonly runtime: { readonly package: string; readonly integrity: string };
}

export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    bunTarget: "bun-linux-x64",
    runtime: {
      package: "@oven/bun-linux-x64",
      integrity:
        "sha512-CHbbkmHVM28T1GFq+6GL4Ao4ujwwYwj1CxFFwEFzLanPfNsId9AhbIP0Q4reWuWBkGimUkoQygrK7Rgjtj3vog==",
    },
  },
  {
    name: "linux-arm64",
    bunTarget: "bun-linux-arm64",
    runtime: {
      package: "@oven/bun-linux-aarch64",
      integrity:
        "sha512-ZTVtpf9zmHSBVPX1sBwe5agGb/rN34yPGg/Hby8e2Ax2uCUA2URZKlZH7qLntK7qaFJCMXh9v0GWNYN2zINz1w==",
    },
  },
  {
    name: "darwin-x64",
    bunTarget: "bun-darwin-x64",
    runtime: {
      package: "@oven/bun-darwin-x64",
      integrity:
        "sha512-oKGcxLsvh4oHjAo28nPm8c/xN0o/OmGyj1IHYc94vprkWsW2hNg2keEZt5f40cI5Hvu4jDlSRTR0UNpv1UIAxw==",
    },
  },
  {
    name: "darwin-arm64",
    bunTarget: "bun-darwin-arm64",
    runtime: {
      package: "@oven/bun-darwin-aarch64",
      integrity:
        "sha512-zW/hxwc8sJAILGwB5eTC4i48ouGXf0V4lrxmEOk3JIE6JkYVW1TZh1E2pIempqsezgW1sckTIIDudFON8bJ2Mw==",
    },
  },
  {
    name: "win32-x64",
    bunTarget: "bun-windows-x64",
    runtime: {
      package: "@oven/bun-windows-x64",
      integrity:
        "sha512-a3LNctBVO8PjePsFZfwDleF2JXYf2BfQ1u/PLRnBDLnC2Riml+4+LgJpKj4xRGhB92KweGyQI5PXaTkP9qypMQ==",
    },
  },
  {
    name: "win32-arm64",
    bunTarget: "bun-windows-arm64",
    runtime: {
      package: "@oven/bun-windows-aarch64",
      integrity:
        "sha512-n0ep5ZRPCZY1+dqFJpnnRUZB1wy4GYU6At8RF+pyzySCLjkN9R4rFh2PtBHAgF/lg1vOl3/CeER3pDM+p40ATA==",
    },
  },
];

/** The target for this machine. @throws if there is none */
export function hostTarget(): Target {
  return findTarget(`${process.platform}-${process.arch}`);
}

/** @throws if no target has the name */
export function findTarget(name: string): Target {
  const target = TARGETS.find((each) => each.name === name);
  if (target !== undefined) return target;
  const names = TARGETS.map((each) => each.name).join(", ");
  throw new Error(`no executable for "${name}"; choose from ${names}`);
}

/** The name of the file. */
export function executableName({ name }: Target): string {
  return `caliban-${name}${name.startsWith("win32") ? ".exe" : ""}`;
}
