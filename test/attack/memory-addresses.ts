/** Addresses that lead nowhere, most of them in the hope of leaving the memory directory. */
export const REFUSED_ADDRESSES: readonly string[] = [
  "memory://topics/..%2f..%2fetc%2fpasswd",
  "memory://topics/../deploy",
  "memory://topics/%2e%2e",
  "memory://topics/a%00b",
  "memory://topics//",
  "memory://topics/a/b",
  "memory://rootless",
  "memory://root%2fMEMORY.md",
  "memory://root/skills%2F..%2F..%2Fx",
  "memory://root/a%5Cb",
  "memory://root/a%00b",
  "memory://",
  "memory://nothing",
  "memory://%E0%A4%A",
  "file:///etc/passwd",
  "memory://topics/C:\\x",
];
