import { expect, it } from "vitest";
import {
  isAbandoned,
  type LockRecord,
  parseLockRecord,
  renderLockRecord,
} from "../../../src/node/lock/lock-record.ts";

const RECORD: LockRecord = { host: "here", boot: "b1", pid: 7, start: "1", token: "t-1" };

const NOW_MS = 1_000_000;
const MINUTE_MS = 60_000;

it.for([
  ["a running process of this boot, however old its heartbeat", RECORD, true, 0, MINUTE_MS, false],
  ["a dead process of this boot, however fresh its heartbeat", RECORD, false, NOW_MS, 0, true],
  ["an earlier boot with a fresh heartbeat", { ...RECORD, boot: "b0" }, true, NOW_MS, 0, false],
  ["an earlier boot with an old heartbeat", { ...RECORD, boot: "b0" }, true, 0, 0, true],
  ["a heartbeat of this host in the future", { ...RECORD, boot: "b0" }, true, 3e9, 0, true],
  ["another host that just changed", { ...RECORD, host: "far" }, true, 0, 0, false],
  ["another host that never changes", { ...RECORD, host: "far" }, true, 0, MINUTE_MS, true],
  ["no record and a fresh heartbeat", undefined, true, NOW_MS, 0, false],
  ["no record and an old heartbeat", undefined, true, 0, 0, true],
] as const)(
  "isAbandoned judges a lock of %s",
  ([, record, isRunning, heartbeatMs, unchangedForMs, expected]) => {
    const machine = { ...RECORD, isAlive: () => isRunning };
    const clock = { nowMs: NOW_MS, staleAfterMs: 30_000 };
    expect(isAbandoned({ record, heartbeatMs, unchangedForMs }, machine, clock)).toBe(expected);
  },
);

it("parseLockRecord reads what renderLockRecord writes", () => {
  expect(parseLockRecord(renderLockRecord(RECORD))).toEqual(RECORD);
});

it.for(["", "{", "null", "[]", '{"host":"a"}', JSON.stringify({ ...RECORD, token: "../x" })])(
  "parseLockRecord rejects %j",
  (text) => {
    expect(parseLockRecord(text)).toBeUndefined();
  },
);
