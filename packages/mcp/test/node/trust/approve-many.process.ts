import { once } from "node:events";
import process from "node:process";
import { createServerApprovals } from "../../../src/node/trust/server-approvals.ts";

const [, , home = "", workspaceRoot = "", prefix = "", count = "0"] = process.argv;
const approvals = createServerApprovals({
  env: { HOME: home },
  platform: "linux",
  home,
  workspaceRoot,
});

// Waits until every process is ready, so that all of them start together.
await approvals.isApproved("none", "");
process.stdout.write("ready");
await once(process.stdin, "data");
process.stdin.destroy();

for (let at = 0; at < Number(count); at += 1) await approvals.approve(`${prefix}-${at}`, "f");
