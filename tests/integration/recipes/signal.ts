/** A graph from `[0:a]` to words and pauses in a room without noise, six seconds of them. */
export const SPEECH =
  '[0:a]atrim=duration=3,asplit[a][b];[b]asetpts=PTS-STARTPTS[c];[a][c]concat=n=2:v=0:a=1,' +
  "volume='if(between(mod(t,2),1.4,2),0,0.4)':eval=frame,aformat=channel_layouts=stereo"

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
  const squareAt = (sound: ArrayLike<number>, index: number): number => (sound[index] ?? 0) ** 2
  let own = 0
  let all = 0
  for (let index = most; index < length; index += 1) {
    own += squareAt(wanted, index)
    all += squareAt(heard, index - most)
  }
  let best = { decibels: -Infinity, delayMs: 0 }
  for (let delay = -most; delay <= most; delay += 1) {
    let both = 0
    for (let index = most; index < length; index += 1)
      both += (wanted[index] ?? 0) * (heard[index + delay] ?? 0)
    const part = (both * both) / own
    const decibels = 10 * Math.log10(part / Math.max(1e-12, all - part))
    if (decibels > best.decibels) best = { decibels, delayMs: (delay / rate) * 1000 }
    // What is heard moves on by one sample.
    all += squareAt(heard, length + delay) - squareAt(heard, most + delay)
  }
  return best
}

/** How much louder the words are than the pauses of `SPEECH`, in dB. */
export function voiceOverPauses(sound: ArrayLike<number>): number {
  const power = { words: 0, pauses: 0 }
  for (let index = 0; index < 90_000; index += 1) {
    const atS = (index / 16_000) % 2
    const sample = (sound[index] ?? 0) ** 2
    if (atS > 0.2 && atS < 1.2) power.words += sample
    if (atS > 1.5 && atS < 1.9) power.pauses += sample * 2.5
  }
  return 10 * Math.log10(power.words / power.pauses)
}
