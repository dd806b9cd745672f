/** How long to wait for something that takes this many seconds at most on a quiet machine, in milliseconds. */
export function patience(seconds: number): number {
  return seconds * 1000
}
