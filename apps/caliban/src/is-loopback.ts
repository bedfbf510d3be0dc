/** Whether an address is one of this machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
