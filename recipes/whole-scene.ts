import { deliveryMp4, needs, withoutTraces } from './encoding.ts'
import { outputFileName } from './naming.ts'
import type { PlanFile, PlanStep, PreviewWindow, RecipePlan, SourceProbe } from './types.ts'
import type { WholePicture } from './whole-picture.ts'
import type { WholeSound } from './whole-sound.ts'

/** An edit of a whole video as one file. */
interface WholeScene {
  /** Of the file without its extension, and of the step that makes it. */
  readonly name: string
  /** What is added to the creator's name of the video. */
  readonly suffix: string
  readonly buttonText: string
  readonly picture: WholePicture
  /** Null where the edit has none. */
  readonly sound: WholeSound | null
  /** Written before the first step. */
  readonly files?: readonly PlanFile[]
  /** The part of the video that a preview shows; left out or null = all of it. */
  readonly part?: PreviewWindow | null
}

/** A file of the sound alone, for a device that makes the picture itself; null for no sound. */
export function planSceneSound(source: SourceProbe, sound: WholeSound | null): RecipePlan | null {
  if (sound === null) return null
  const picture = { args: [], filters: [], encoders: [] }
  const named = { name: 'sound', suffix: 'sound', buttonText: 'Download sound' }
  return planScene(source, { ...named, picture, sound })
}

/** The steps of the sound, then one step that encodes picture and sound together. */
export function planScene(
  source: SourceProbe,
  { name, suffix, buttonText, picture, sound, files = [], part = null }: WholeScene,
): RecipePlan {
  const output = `${name}.mp4`
  const inputs = [
    {
      from: { kind: 'source' as const },
      ...(picture.sourceFlags === undefined ? {} : { flags: picture.sourceFlags }),
      ...(part === null ? {} : { seekMs: part.startMs, durationMs: part.durationMs }),
    },
    ...(picture.cover === undefined ? [] : [picture.cover.input]),
  ]
  const made = sound?.made ?? null
  const last: PlanStep = {
    id: name,
    inputs: [...inputs, ...(made === null ? [] : [made.input])],
    args: [
      ...picture.args,
      ...(sound === null
        ? []
        : ['-map', `${made === null ? 0 : inputs.length}:a:0`, ...sound.args]),
      ...withoutTraces,
      ...deliveryMp4,
      { kind: 'output', name: output },
    ],
    outputDurationMs: part?.durationMs ?? source.durationMs,
    weight: source.durationMs,
    needs: needs(
      [...picture.filters, ...(sound?.filters ?? [])],
      [...picture.encoders, ...(sound?.encoders ?? [])],
    ),
  }
  return {
    files,
    ...(picture.cover?.mask === undefined ? {} : { masks: [picture.cover.mask] }),
    steps: [
      ...(picture.cover?.steps ?? []),
      ...(made?.steps ?? []),
      ...(sound?.measured ?? []),
      last,
    ],
    outputs: [
      {
        name: output,
        buttonText,
        fileName: outputFileName(source.fileName, suffix, 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
        // A preview is shown flat, by a page.
        ...(source.immersiveTrack === undefined || part !== null
          ? {}
          : { immersiveTrack: source.immersiveTrack }),
      },
    ],
  }
}
