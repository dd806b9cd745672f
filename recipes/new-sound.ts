import { deliveryAudio, deliveryMp4, needs, withoutTraces } from './encoding.ts'
import { LEVEL_FILTERS, levelled, loudnessStep, type MeasuredSound } from './loudness.ts'
import { outputFileName } from './naming.ts'
import { err, ok, type Result } from './result.ts'
import type { PlanInput, PlanProblem, PlanStep, RecipePlan, SourceProbe } from './types.ts'
import type { WholePicture } from './whole-picture.ts'

/** A whole video with a new sound, levelled. */
interface NewSound {
  readonly picture: WholePicture
  /** Steps that make the sound, where it is not the source's own. */
  readonly steps: readonly PlanStep[]
  /** The sound that they make: its first sample is heard with the first moment of the source. */
  readonly input: PlanInput
  /** The last filters on it, before its loudness is measured. */
  readonly chain: string
  readonly filters: readonly string[]
  /** Name of the file, without its extension. */
  readonly name: string
  /** What is added to the creator's name of the video. */
  readonly suffix: string
  readonly buttonText: string
}

/**
 * A plan for a video without sound would sell the creator a copy of it.
 * @param without what it does not have for the edit: 'no voice'
 */
export function ifItHasSound(
  source: SourceProbe,
  without: 'no voice' | 'nothing',
  plan: () => RecipePlan,
): Result<RecipePlan, PlanProblem> {
  return source.hasAudio
    ? ok(plan())
    : err({
        code: 'recipe/source-unusable',
        message: `This video has no sound, so there is ${without} to change.`,
      })
}

/** Makes the sound, measures it, and puts it under the picture at the loudness of networks. */
export function planNewSound(source: SourceProbe, sound: NewSound): RecipePlan {
  const { picture, chain, filters, name } = sound
  const measured: MeasuredSound = {
    inputs: [sound.input],
    map: '0:a:0',
    chain,
    filters,
    durationMs: source.durationMs,
  }
  const output = `${name}.mp4`
  const last: PlanStep = {
    id: 'put-together',
    // Copied pictures without times get them from their order.
    inputs: [{ from: { kind: 'source' }, flags: ['-fflags', '+genpts'] }, sound.input],
    args: [
      '-map',
      '0:V:0',
      '-map',
      '1:a:0',
      ...picture.args,
      '-af',
      levelled('loudness', chain),
      ...withoutTraces,
      ...deliveryAudio,
      ...deliveryMp4,
      { kind: 'output', name: output },
    ],
    outputDurationMs: source.durationMs,
    weight: source.durationMs,
    needs: needs([...picture.filters, ...filters, ...LEVEL_FILTERS], [...picture.encoders, 'aac']),
  }
  return {
    files: [],
    steps: [...sound.steps, loudnessStep('loudness', measured), last],
    outputs: [
      {
        name: output,
        buttonText: sound.buttonText,
        fileName: outputFileName(source.fileName, sound.suffix, 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}
