// `node sync-once.mjs DIRECTORY REMOTE`: joins, syncs once, and prints the peak memory in megabytes.
import { join } from "node:path";
import process from "node:process";
import { peakMegabytes } from "../pipeline/peak-megabytes.mjs";

// Imported by URL, because the file does not exist before a build.
const built = new URL("../../packages/memory-git/dist/node/index.js", import.meta.url);
/** @type {typeof import("../../packages/memory-git/src/node/index.ts")} */
const { openTeam } = await import(built.href);

const [directory = "", remote = ""] = process.argv.slice(2);
const allowedSignersFile = join(directory, "signers");
const team = openTeam({ directory, allowedSignersFile, env: process.env, signingKey: false });
await team.init(remote);
const result = await team.sync();
if (result.kind !== "synced") throw new Error(`the sync failed: ${result.kind}`);
console.log(peakMegabytes());
