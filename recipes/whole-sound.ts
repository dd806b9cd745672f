import { deliveryAudio, evenLoudness } from './encoding.ts'
import { LEVEL_FILTERS, levelled, loudnessStep } from './loudness.ts'
import { editsStartMs } from './first-picture.ts'
import { seconds } from './naming.ts'
import { err, ok, type Result } from './result.ts'
import type {
  PlanArg,
  PlanInput,
  PlanProblem,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from './types.ts'

/** A sound that steps make: its first sample is heard with the first moment of the source. */
export interface MadeSound {
  readonly steps: readonly PlanStep[]
  readonly input: PlanInput
}

/** A chain of filters on a sound, and their names. */
export interface SoundFilter {
  readonly chain: string
  readonly filters: readonly string[]
}

/** How an edit of the whole video gets its sound. */
export interface WholeSound {
  /** Where it is not the source's own. */
  readonly made: MadeSound | null
  /** Steps that measure it. */
  readonly measured: readonly PlanStep[]
  /** ffmpeg's arguments for it, after its stream. */
  readonly args: readonly PlanArg[]
  readonly filters: readonly string[]
  readonly encoders: readonly string[]
}

/** Where a sound has holes or starts late, it is filled. */
export const filledSound: SoundFilter = {
  chain: 'aresample=48000:async=1:first_pts=0',
  filters: ['aresample'],
}

/** For previews: read once, and levelled as it goes. */
export const evenSound: SoundFilter = {
  chain: `${filledSound.chain},${evenLoudness}`,
  filters: ['aresample', 'loudnorm'],
}

/**
 * A plan for a video without sound would sell the creator a copy of it.
 * @param lacks what follows from it for the edit: 'there is no voice to change'
 */
export function ifItHasSound(
  source: SourceProbe,
  lacks: string,
  plan: () => RecipePlan,
): Result<RecipePlan, PlanProblem> {
  return source.hasAudio
    ? ok(plan())
    : err({
        code: 'recipe/source-unusable',
        message: `This video has no sound, so ${lacks}.`,
      })
}

/**
 * The sound of the source as loud as it is, for an edit of the picture. AAC that is as long as the
 * picture is taken as it is, which costs neither time nor quality; but a part of it could only be
 * cut between its packets.
 * @param part what a preview shows; null = all of the video
 */
export function keptSound(
  source: SourceProbe,
  part: PreviewWindow | null = null,
): WholeSound | null {
  if (!source.hasAudio) return null
  const isPart = part !== null || editsStartMs(source) > 0
  const isCopied =
    source.audioCodec === 'aac' && source.isAdts !== true && source.soundFits !== false && !isPart
  if (isCopied)
    return { made: null, measured: [], args: ['-c:a', 'copy'], filters: [], encoders: ['aac'] }
  const { chain, filters } = asLongAs(part ?? source)
  return filteredSound({
    chain: `${filledSound.chain},${chain}`,
    filters: [...filledSound.filters, ...filters],
  })
}

/** Silence to the end where the sound ends early; what outlasts the picture goes. */
function asLongAs({ durationMs }: Pick<SourceProbe, 'durationMs'>): SoundFilter {
  return { chain: `apad,atrim=end=${seconds(durationMs)}`, filters: ['apad', 'atrim'] }
}

/** The sound through filters. */
export function filteredSound(
  { chain, filters }: SoundFilter,
  codec: readonly string[] = deliveryAudio,
): WholeSound {
  return { made: null, measured: [], args: ['-af', chain, ...codec], filters, encoders: ['aac'] }
}

/**
 * The sound at the loudness of networks, as long as the picture.
 * @param filter the last filters on it, before its loudness is measured
 * @param codec how it is encoded
 */
export function levelledSound(
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  made: MadeSound | null = null,
  { chain, filters }: SoundFilter = made === null ? filledSound : { chain: '', filters: [] },
  codec: readonly string[] = deliveryAudio,
): WholeSound {
  const inputs = [made?.input ?? { from: { kind: 'source' as const } }]
  const measured = { inputs, map: '0:a:0', chain, filters, durationMs }
  const whole = asLongAs({ durationMs })
  return {
    made,
    measured: [loudnessStep('loudness', measured)],
    args: ['-af', levelled('loudness', chain, whole.chain), ...codec],
    filters: [...filters, ...LEVEL_FILTERS, ...whole.filters],
    encoders: ['aac'],
  }
}
