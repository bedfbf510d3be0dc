import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { startDaemon, startHttp } from "../support/git-servers.ts";
import {
  bareRemote,
  joinTeam,
  SECRET,
  syncAll,
  synced,
  textsOf,
  topicText,
} from "../support/team.ts";

const SERVERS: Readonly<Record<string, (remote: string) => Promise<string>>> = {
  "a bare directory": async (remote) => remote,
  "a file URL": async (remote) => pathToFileURL(remote).href,
  "git daemon": startDaemon,
  "git http-backend": async (remote) => startHttp(remote),
};

describe("sharing through a server", () => {
  it.for(Object.keys(SERVERS))("sends, merges and removes topics through %s", async (server) => {
    const remote = (await SERVERS[server]?.(await bareRemote())) ?? "";
    const [ann, ben] = [await joinTeam(remote, "ann"), await joinTeam(remote, "ben")];
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One.\n\nTwo.") });
    await ann.team.share({ slug: "other", text: topicText("other", "Else.") });
    expect((await synced(ann.team)).sent).toHaveLength(2);
    await syncAll(ben.team);
    await ben.team.share({ slug: "deploy", text: topicText("deploy", "One.\n\nTwo!") });
    await ben.team.unshare("other");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One!\n\nTwo.") });
    await synced(ann.team);
    await synced(ben.team);
    await syncAll(ann.team);
    await syncAll(ben.team);
    const expected = { deploy: topicText("deploy", "One!\n\nTwo!") };
    expect(await textsOf(ann.team)).toEqual(expected);
    expect(await textsOf(ben.team)).toEqual(expected);
    const { head } = await synced(ann.team);
    expect(await synced(ann.team)).toMatchObject({ head, received: [], sent: [] });
  });

  it("uses the credential helper of the user, and never asks in the background", async () => {
    const expected = `Basic ${Buffer.from("ann:pw").toString("base64")}`;
    const remote = await startHttp(await bareRemote(), (header) => header === expected);
    const ann = await joinTeam(remote, "ann");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One.") });
    expect(await ann.team.sync()).toMatchObject({ kind: "denied" });
    const helper = join(await temporaryDirectory(), "helper");
    writeFileSync(helper, "#!/bin/sh\necho username=ann\necho password=pw\n");
    chmodSync(helper, 0o700);
    const { env } = ann;
    execFileSync("git", ["config", "--global", "credential.helper", helper], { env });
    expect((await synced(ann.team)).sent).toHaveLength(1);
  });

  it("stops a server that never answers, with every process that was started", async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const limits = { networkTimeoutMs: 300 };
    const ann = await joinTeam(`http://127.0.0.1:${port}/x.git`, "ann", { limits });
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One.") });
    expect(await ann.team.sync()).toMatchObject({ kind: "offline" });
    expect((await ann.team.status())?.pending).toHaveLength(1);
  });

  it("stops when it is aborted, and keeps the changes", async () => {
    const ann = await joinTeam(await bareRemote(), "ann");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One.") });
    await expect(ann.team.sync({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect((await ann.team.status())?.pending).toHaveLength(1);
    expect((await synced(ann.team)).sent).toHaveLength(1);
  });
});

describe("secrets", () => {
  it("never pushes a secret that an older version let through", async () => {
    const remote = await bareRemote();
    const ann = await joinTeam(remote, "ann");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "REPLACED") });
    await ann.team.share({ slug: "fine", text: topicText("fine", "Text.") });
    const pending = join(ann.directory, "pending");
    for (const name of readdirSync(pending)) {
      const path = join(pending, name);
      writeFileSync(path, readFileSync(path, "utf8").replace("REPLACED", SECRET));
    }
    const { unsent, sent } = await synced(ann.team);
    expect(unsent).toMatchObject([{ slug: "deploy", code: "SECRET_FOUND" }]);
    expect(sent).toEqual([{ slug: "fine", action: "share" }]);
    expect(objectsOf(remote)).not.toContain(SECRET);
    expect(objectsOf(join(ann.directory, "repository.git"))).not.toContain(SECRET);
  });
});

/** The contents of every object, whether something refers to it or not. */
function objectsOf(repository: string): string {
  const format = "--batch-check=%(objectname)";
  const list = execFileSync("git", ["-C", repository, "cat-file", "--batch-all-objects", format]);
  return execFileSync("git", ["-C", repository, "cat-file", "--batch"], { input: list }).toString();
}
