import { lookup } from "node:dns/promises";
import { errorCode } from "@caliban/common/node";

/** Returns the addresses of a host as the system finds them. Returns none for an unknown host. */
export async function resolveBySystem(host: string): Promise<readonly string[]> {
  try {
    const found = await lookup(host, { all: true, order: "ipv4first" });
    return found.map(({ address }) => address);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
