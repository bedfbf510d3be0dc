import process from "node:process";
import { createServerApprovals } from "../../src/node/server-approvals.ts";

const [, , home = "", workspaceRoot = "", prefix = "", count = "0"] = process.argv;
const approvals = createServerApprovals({
  env: { HOME: home },
  platform: "linux",
  home,
  workspaceRoot,
});

for (let at = 0; at < Number(count); at += 1) await approvals.approve(`${prefix}-${at}`, "f");
