/** Whose memory it is: every row carries these three. */
export interface StoreKey {
  readonly tenant: string;
  readonly project: string;
  readonly scope: string;
}

/** The same 64-bit number for the same store everywhere. Two stores with the same number only wait for each other. */
export function lockNumber(schema: string, key: StoreKey): bigint {
  const text = JSON.stringify(["caliban", schema, key.tenant, key.project, key.scope]);
  return BigInt.asIntN(64, hash(text));
}

/** Serializes migrations of one schema. */
export function migrationLockNumber(schema: string): bigint {
  return BigInt.asIntN(64, hash(JSON.stringify(["caliban migration", schema])));
}

/** The channel on which commits to a store are announced. It contains no name. */
export function channelOf(schema: string, key: StoreKey): string {
  const number = BigInt.asUintN(64, lockNumber(schema, key));
  return `caliban_${number.toString(16).padStart(16, "0")}`;
}

/** FNV-1a over UTF-8. */
function hash(text: string): bigint {
  let result = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    result = BigInt.asUintN(64, (result ^ BigInt(byte)) * 0x100000001b3n);
  }
  return result;
}
