import { expect, it } from "vitest";
import {
  type Approval,
  isApproved,
  parseApprovals,
  renderApprovals,
} from "../../src/project/approvals.ts";

const approval: Approval = { workspace: "/app", kind: "import", subject: "/x.md", sha256: "abc" };

it.for(["import", "permission", "mcp-server"] as const)(
  "parses a rendered approval of the kind %s",
  (kind) => {
    const approvals = [{ ...approval, kind }];
    expect(parseApprovals(renderApprovals(approvals))).toEqual({ approvals, isValid: true });
  },
);

it.for([
  "",
  "{",
  "[]",
  "{}",
  '{"version":2,"approvals":[]}',
  '{"version":1,"approvals":[{}]}',
  '{"version":1,"approvals":[null]}',
  '{"version":1,"approvals":[{"workspace":"/a","kind":"all","subject":"b","sha256":"c"}]}',
])("approves nothing when the file contains %j", (text) => {
  expect(parseApprovals(text)).toEqual({ approvals: [], isValid: false });
});

it.for([{ workspace: "/other" }, { subject: "/y.md" }, { sha256: "abd" }])(
  "does not apply an approval to %j",
  (change) => {
    expect(isApproved([approval], { ...approval, ...change })).toBe(false);
    expect(isApproved([approval], approval)).toBe(true);
  },
);
