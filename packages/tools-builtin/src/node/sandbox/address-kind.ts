import { BlockList, isIPv6 } from "node:net";

/** `local` is this machine and what only it can reach; `private` is the network around it. */
export type AddressKind = "public" | "private" | "local";

const LOCAL = blockList([
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  // Also where clouds tell machines their credentials.
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
  ["::", 128],
  ["::1", 128],
  ["fe80::", 10],
  ["ff00::", 8],
  // These contain an address of the other kind.
  ["::", 96],
  ["64:ff9b::", 96],
  ["2002::", 16],
]);

const PRIVATE = blockList([
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["fc00::", 7],
  ["fec0::", 10],
]);

/** Classifies an IP address. */
export function addressKind(address: string): AddressKind {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (LOCAL.check(address, family)) return "local";
  return PRIVATE.check(address, family) ? "private" : "public";
}

function blockList(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) {
    list.addSubnet(net, prefix, net.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
