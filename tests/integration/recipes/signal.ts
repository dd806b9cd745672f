/**
 * How much of a sound is the wanted one, whatever its level (scale-invariant signal-to-distortion
 * ratio), at the delay that fits best.
 * @param rate samples a second of both
 * @param mostDelayMs how far the delay is searched, to both sides
 */
export function signalToDistortion(
  wanted: ArrayLike<number>,
  heard: ArrayLike<number>,
  rate = 16_000,
  mostDelayMs = 25,
): { readonly decibels: number; readonly delayMs: number } {
  const most = Math.ceil((rate * mostDelayMs) / 1000)
  const length = Math.min(wanted.length, heard.length) - 2 * most
  let best = { decibels: -Infinity, delayMs: 0 }
  for (let delay = -most; delay <= most; delay += 1) {
    let [both, own, all] = [0, 0, 0]
    for (let index = most; index < length; index += 1) {
      const [a, b] = [wanted[index] ?? 0, heard[index + delay] ?? 0]
      both += a * b
      own += a * a
      all += b * b
    }
    const part = (both * both) / own
    const decibels = 10 * Math.log10(part / Math.max(1e-12, all - part))
    if (decibels > best.decibels) best = { decibels, delayMs: (delay / rate) * 1000 }
  }
  return best
}
