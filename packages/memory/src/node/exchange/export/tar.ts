import type { StoreFiles } from "../../../store/stored-files.ts";
import { toExportFiles } from "./export-file.ts";

/**
 * Packs the files into a tar archive. The same memory results in the same bytes: sorted by name, with the times of the
 * topics and no owner.
 */
export async function packTar(files: StoreFiles): Promise<Uint8Array> {
  const sorted = toExportFiles(files).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const { packTar: pack } = await import("modern-tar");
  return await pack(
    sorted.map(({ name, text, updatedMs }) => {
      const body = Buffer.from(text);
      const mtime = new Date(Math.floor(clampTime(updatedMs) / 1_000) * 1_000);
      const owner = { uid: 0, gid: 0, uname: "", gname: "" };
      return {
        header: { name: `memory/${name}`, size: body.length, mtime, mode: 0o600, ...owner },
        body: new Uint8Array(body),
      };
    }),
  );
}

/** The largest time that fits the eleven octal digits of a tar header. */
const MAX_TIME_MS = (8 ** 11 - 1) * 1_000;

/** A topic can claim any time. One that does not fit would overflow into a different one. */
function clampTime(timeMs: number): number {
  return Math.min(Math.max(timeMs, 0), MAX_TIME_MS);
}
