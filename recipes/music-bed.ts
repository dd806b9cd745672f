import { intermediateAudio, needs, withoutTraces } from './encoding.ts'
import { levelledInput, type LevelledInput } from './loudness.ts'
import { seconds } from './naming.ts'
import type { MusicSource, PlanInput, PlanStep } from './types.ts'

const MIX = 'mix.mov'
const FADE_OUT_MS = 1500

/**
 * Below the scene, at the loudness of a quiet voice; where the scene is loud it gives way within a
 * word and comes back in the pause after a sentence.
 */
const BED = 'loudnorm=I=-23:TP=-3:LRA=9,aresample=48000'
const DUCK = 'sidechaincompress=threshold=0.03:ratio=6:attack=15:release=450:knee=4'

const FORM = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo'

/** A track below the passages of an edit. */
interface Bed {
  readonly track: MusicSource
  /** From the beginning of the passages on. */
  readonly startMs: number
  readonly lengthMs: number
}

/**
 * The sound of pieces with music below it, as loud as networks play.
 * @param pieces all of them, one after the other
 */
export function overMusic(pieces: PlanInput, durationMs: number, bed: Bed): LevelledInput {
  const mix: PlanStep = {
    id: 'mix',
    inputs: [pieces, musicInput(bed)],
    args: [
      '-filter_complex',
      mixGraph(bed),
      '-map',
      '[a]',
      '-vn',
      ...withoutTraces,
      ...intermediateAudio,
      '-f',
      'mov',
      { kind: 'scratch', name: MIX },
    ],
    outputDurationMs: durationMs,
    weight: durationMs * 0.1,
    needs: needs(MIX_FILTERS, ['pcm_s16le']),
  }
  const { steps, sound } = levelledInput({ from: { kind: 'scratch', name: MIX } }, durationMs)
  return { steps: [mix, ...steps], sound }
}

const MIX_FILTERS = [
  'asplit',
  'aformat',
  'aloop',
  'atrim',
  'asetpts',
  'afade',
  'adelay',
  'apad',
  'loudnorm',
  'aresample',
  'sidechaincompress',
  'amix',
]

/**
 * Where its length is not known, ffmpeg repeats the file, with the gap that its format may have.
 */
function musicInput({ track: { id, durationMs }, lengthMs }: Bed): PlanInput {
  const from = { kind: 'music', id } as const
  return durationMs === null
    ? { from, flags: ['-stream_loop', '-1'], durationMs: lengthMs + 1000 }
    : { from, durationMs: Math.min(durationMs, lengthMs) + 1000 }
}

/** From the sound of the pieces and the music to `[a]`, which is as long as the pieces. */
function mixGraph({ track: { durationMs }, startMs, lengthMs }: Bed): string {
  // Exactly as long as its list says: the padding of AAC would move each repetition off the beat.
  const repeated =
    durationMs === null
      ? ''
      : `,atrim=end=${seconds(durationMs)},aloop=loop=-1:size=${Math.round(durationMs * 48)}`
  const fadeMs = Math.min(FADE_OUT_MS, lengthMs / 4)
  const bed = [
    `[1:a:0]${FORM}${repeated}`,
    `atrim=duration=${seconds(lengthMs)}`,
    'asetpts=PTS-STARTPTS',
    BED,
    `afade=t=out:st=${seconds(lengthMs - fadeMs)}:d=${seconds(fadeMs)}`,
    FORM,
    `adelay=${Math.round(startMs * 48)}S:all=1`,
    'apad[bed]',
  ].join(',')
  return [
    `[0:a:0]${FORM},asplit[scene][key]`,
    bed,
    `[bed][key]${DUCK}[below]`,
    '[scene][below]amix=inputs=2:duration=first:normalize=0[a]',
  ].join(';')
}
