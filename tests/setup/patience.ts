import { availableParallelism, loadavg } from 'node:os'

/**
 * A limit that only ends what hangs: milliseconds, more of them where the machine is busy, because
 * wall time says more about the machine than about the product.
 * @param seconds generous for a machine that does nothing else
 */
export function patience(seconds: number): number {
  return Math.ceil(seconds * 1000 * machineLag())
}

/** How many times longer work takes now than where nothing else runs; 1 at least. */
export function machineLag(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}
