// `node sync-once.mjs DIRECTORY REMOTE`: joins, syncs once, and prints the peak memory in megabytes.
import { join } from "node:path";
import process from "node:process";
import { openTeam } from "../../packages/memory-git/dist/node/index.js";
import { peakMegabytes } from "../pipeline/peak-megabytes.mjs";

const [directory = "", remote = ""] = process.argv.slice(2);
const allowedSignersFile = join(directory, "signers");
const team = openTeam({ directory, allowedSignersFile, env: process.env, signingKey: false });
await team.init(remote);
const result = await team.sync();
if (result.kind !== "synced") throw new Error(`the sync failed: ${result.kind}`);
console.log(peakMegabytes());
