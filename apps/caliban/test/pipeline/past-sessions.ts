import { utimesSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Machine, machine } from "../fake-host.ts";

const HOUR_MS = 3_600_000;

export interface PastSession {
  readonly id: string;
  readonly said: string;
  readonly hoursAgo?: number;
  readonly learn?: false;
}

/** Enables learning, with the offline model. */
export const ENABLED = "[memories]\nenabled = true\n";

/** A machine with past sessions and the real time. */
export async function machineWithPast(
  sessions: readonly PastSession[],
  settings: string = ENABLED,
): Promise<Machine & { readonly directory: string }> {
  const at = await machine({ ".config/caliban/settings.toml": settings });
  const directory = join(at.home, ".local/share/caliban/projects", at.slug);
  await writeSessions(join(directory, "sessions"), sessions);
  return { ...at.with({ now: Date.now }), directory };
}

/** Writes stored sessions that were last active some time ago. */
export async function writeSessions(
  directory: string,
  sessions: readonly PastSession[],
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const { id, said, hoursAgo = 48, learn } of sessions) {
    const at = new Date(Date.now() - hoursAgo * HOUR_MS);
    const records = [
      {
        type: "session-start",
        v: 1,
        id,
        at,
        workspace: "/app",
        cwd: "/app",
        model: "offline/rehearsal",
        version: "1.2.3",
        title: said,
        ...(learn === false && { learn }),
      },
      { type: "message", id: "m1", at, message: { role: "user", text: said } },
      {
        type: "message",
        id: "m2",
        at,
        message: { role: "assistant", model: "m/m", parts: [{ type: "text", text: "I will." }] },
      },
    ];
    const path = join(directory, `${id}.jsonl`);
    await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    utimesSync(path, at, at);
  }
}
