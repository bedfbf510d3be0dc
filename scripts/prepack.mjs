// Runs before npm, pnpm or yarn pack a package in its own folder, and stops them.
import { basename } from "node:path";

console.error(
  `${basename(process.cwd())} is not packed in its folder: the manifest there has \`workspace:\` ranges and sources, and the README relative links.\n` +
    "Run `pnpm release --dry-run --out DIRECTORY`. It writes the tarballs of all packages, and folders that every tool can pack.",
);
process.exitCode = 1;
