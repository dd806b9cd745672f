import { needs } from './encoding.ts'
import { rawSamples, sampledSound } from './noise.ts'
import { numbersOf, wholeSecret } from './secret.ts'
import type { PlanStep, SourceProbe } from './types.ts'
import type { MadeSound, SoundFilter } from './whole-sound.ts'

/** What is above 8 kHz of a voice tells more of who speaks than of what is said. */
const RATE = 16_000
const TURN = 2 * Math.PI

/**
 * The filters by which a preview lets a masked voice be heard: fewer and quicker than the program
 * of the server, they move what a voice is known by instead of taking it away. Pitch, formants,
 * balance, how far each band rises, hoarseness, the range of loudness and the noise in pauses move
 * by amounts that follow from the secret. Only filters that ffmpeg.wasm has, so no rubberband.
 */
export function voiceMask(secret: string): SoundFilter {
  const numbers = numbersOf(secret)
  const between = (index: number, low: number, high: number): number =>
    low + (high - low) * (numbers[index] ?? 0)
  const phase = (index: number): string => between(index, 0, TURN).toFixed(4)
  // In natural logarithms: up to nine semitones up or down, and never less than half a one.
  const shift = (between(0, 0, 1) < 0.5 ? -1 : 1) * between(1, 0.04, 0.5)
  const playedAt = Math.round((RATE * Math.exp(shift)) / 100) * 100
  // Large and small people differ in pitch and formants together, but not by the same share.
  const formants = 0.3 * shift + between(2, -0.27, 0.27)
  // Octaves of hearing are even on a logarithm; the first overtones of a voice begin at 300 Hz.
  const height = 'log(max(b,1)*sr/(2*nb*300))'
  const perSample = (TURN / (RATE * between(6, 9, 19))).toFixed(9)
  const drift = `1.5*sin(${perSample}*pts+${phase(7)})`
  const bend = `0.015*sin(5*${height}+${phase(8)}+${drift})`
  const bin = `b*exp(${(Math.log(playedAt / RATE) - formants).toFixed(4)}+${bend})`
  const waves = [1.7, 3.1, 5.3].map((each, index) => `sin(${each}*${height}+${phase(3 + index)})`)
  const balance = `exp(1.1*(${waves.join('+')}))`
  // What averages over a recording keep of a voice is mostly how much each band varies.
  const range = `${between(15, -0.3, 0.3).toFixed(3)}+0.15*sin(2*${height}+${phase(11)})`
  const seed = Math.floor(between(13, 0, 65_536))
  const part = (name: 'real' | 'imag'): string =>
    [
      `${seeded(seed)}${name}(st(2,${bin}),ch)*${balance}`,
      `pow(hypot(real(ld(2),ch),imag(ld(2),ch))+0.02,${range})`,
      `(1+${between(14, 0, 0.5).toFixed(3)}*(random(1)*4-2))`,
    ].join('*')
  return {
    chain: [
      // Holes are filled and the start is fixed first, because a changed rate would move them.
      `aresample=${RATE}:async=1:first_pts=0`,
      `aformat=sample_fmts=fltp:sample_rates=${RATE}:channel_layouts=mono`,
      `asetrate=${playedAt}`,
      `aresample=${RATE}`,
      `atempo=${(RATE / playedAt).toFixed(6)}`,
      `afftfilt=real='${part('real')}':imag='${part('imag')}':win_size=512:overlap=0.75`,
      quietNoise(between(12, 0.001, 0.002), seed),
      `acompressor=threshold=0.05:ratio=${between(10, 1.1, 2).toFixed(2)}:attack=20:release=250`,
      `lowpass=f=${between(9, 4000, 6500).toFixed(0)}`,
    ].join(','),
    filters: [
      'aresample',
      'aformat',
      'asetrate',
      'atempo',
      'afftfilt',
      'aeval',
      'acompressor',
      'lowpass',
    ],
  }
}

/**
 * The sound of a source with its voices masked, to be levelled. The same secret gives the same
 * voice, also in another edit: two masks of one sound could be averaged.
 * @param before what is masked instead of the source's own sound
 */
export function maskedSound(
  source: Pick<SourceProbe, 'durationMs'>,
  secret: string,
  before: MadeSound | null = null,
): MadeSound {
  const form = { format: 's16le', rate: RATE, channels: 1 } as const
  const voices = sampledSound(source, 'voices', undefined, before, form)
  const step: PlanStep = {
    id: 'masked',
    tool: 'voice-filter',
    inputs: [{ from: { kind: 'scratch', name: 'voices.pcm' } }],
    args: [{ kind: 'scratch', name: 'masked.pcm' }],
    secret: wholeSecret(secret),
    outputDurationMs: source.durationMs,
    weight: source.durationMs * 0.06,
    needs: needs([], []),
  }
  // Louder moments than a 16-bit file can hold are levelled later.
  return {
    steps: [...voices.steps, step],
    input: rawSamples('masked.pcm', { ...form, format: 'f32le' }),
  }
}

/** Begins the random numbers of register 1 once; the same in both parts, so that phases stay. */
function seeded(seed: number): string {
  return `if(not(ld(0)),st(1,${seed})+st(0,1))*0+`
}

/**
 * Noise far below speech, which covers what rooms and microphones leave in the pauses. The register
 * of the expression is what its random numbers begin with. `c=mono` says which channel comes out:
 * without it, filters that ask for a channel by its name, as `lowpass` does, pass everything on.
 */
function quietNoise(level: number, seed: number): string {
  return `aeval='if(eq(n,0),st(0,${seed}),0)*0+val(0)+${level.toFixed(5)}*(random(0)-0.5)':c=mono`
}
