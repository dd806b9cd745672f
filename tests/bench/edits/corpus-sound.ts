import type { Scene } from './scene.ts'

/** Sound of the scenes as signed 16-bit mono: syllables where something happens, else less. */
export function speech(scenes: readonly Scene[], seconds: number, rate: number): Uint8Array {
  const samples = new Int16Array(seconds * rate)
  let phase = 0
  let noise = 1
  for (const { kind, startMs, endMs, look } of scenes) {
    const pitch = 110 + (look % 7) * 20
    const from = Math.round((startMs / 1000) * rate)
    for (let at = from; at < Math.min(samples.length, (endMs / 1000) * rate); at += 1) {
      const s = at / rate
      noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0
      const hiss = noise / 2147483648 - 1
      phase += (2 * Math.PI * (pitch + 12 * Math.sin(s * 5))) / rate
      const voice = Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(5 * phase)
      samples[at] = Math.round(32767 * levelOf(kind, s, voice / 2, hiss))
    }
  }
  return new Uint8Array(samples.buffer)
}

function levelOf(kind: Scene['kind'], s: number, voice: number, hiss: number): number {
  const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.7 * s)) ** 2
  switch (kind) {
    case 'lively':
    case 'blurred':
    case 'dim':
      return 0.25 * voice * syllable + 0.004 * hiss
    case 'loud':
      return 0.5 * hiss
    case 'title':
      return 0.08 * Math.sin(2 * Math.PI * 220 * s)
    case 'static':
      return 0.01 * hiss
    case 'black':
      return 0
  }
}
