import { useEffect, useState } from "preact/hooks";
import { revision } from "./live.ts";
import { currentRoute } from "./route.ts";
import { addressFor, type Failure, isFailure, read } from "./server.ts";

/** What was read last, by address. A view that is opened again shows it at once. */
const known = new Map<string, unknown>();
const MAX_KNOWN = 200;

/** Reads an address, and again after each change. The old value stays until the new one is there. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the address
export function useResource<T>(path: string): T | Failure | undefined {
  const address = addressFor(path, currentRoute.value.project);
  const [, setCount] = useState(0);
  const version = revision.value;
  const shown = known.get(address);
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const found = await read<T>(address);
      // A server that stopped takes nothing away from what is shown.
      if (isFailure(found) && known.has(address) && found.isLost) return;
      keep(address, found);
      // Another part of the page may have read the same since this one was drawn.
      if (isCurrent && found !== shown) setCount((count) => count + 1);
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [address, version]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was read from this address
  return shown as T | Failure | undefined;
}

/** The oldest ones go first. */
function keep(address: string, value: unknown): void {
  known.delete(address);
  known.set(address, value);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
}
