import { deliveryMp4, needs, withoutEncoder, withoutTraces, type FrameRate } from './encoding.ts'
import { outputFileName } from './naming.ts'
import { joinedInput, joinedList, readFor, SEGMENT_FILE } from './segments.ts'
import type {
  PlanFile,
  PlanInput,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  Divided,
  Segment,
  SourceProbe,
} from './types.ts'
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
  /** Where it is made in segments; left out or null = all of it at once. */
  readonly divided?: DividedAtRate | null
}

interface DividedAtRate {
  readonly of: Divided
  readonly frameRate: FrameRate
}

/** What a plan was asked for, at the rate of its pictures; null = all at once. */
export function dividedAt(
  { divided }: { readonly divided?: Divided },
  { frameRate }: { readonly frameRate: FrameRate },
): DividedAtRate | null {
  return divided === undefined ? null : { of: divided, frameRate }
}

/** The segment that a plan was asked for, else null. */
export function segmentIn({ divided }: { readonly divided?: Divided }): Segment | null {
  return divided?.kind === 'segment' ? divided.segment : null
}

/** A file of the sound alone, for a device that makes the picture itself; null for no sound. */
export function planSceneSound(source: SourceProbe, sound: WholeSound | null): RecipePlan | null {
  if (sound === null) return null
  const picture = { args: [], filters: [], encoders: [] }
  const named = { name: 'sound', suffix: 'sound', buttonText: 'Download sound' }
  return planScene(source, { ...named, picture, sound })
}

/** The steps of the sound, then one step that encodes picture and sound together. */
export function planScene(source: SourceProbe, scene: WholeScene): RecipePlan {
  const { divided = null } = scene
  if (divided === null) return planWhole(source, scene)
  return divided.of.kind === 'segment'
    ? planSegment(source, scene, divided.of.segment)
    : planWhole(source, {
        ...scene,
        files: [joinedList(divided.of.segments, divided.frameRate)],
        picture: JOINED,
      })
}

/** The picture of segments: their encoder wrote nothing of itself, and neither does the file. */
const JOINED: WholePicture = {
  args: ['-map', '0:V:0', '-c:v', 'copy', ...withoutEncoder],
  filters: [],
  encoders: [],
  instead: joinedInput,
}

function planWhole(
  source: SourceProbe,
  { name, suffix, buttonText, picture, sound, files = [], part = null }: WholeScene,
): RecipePlan {
  const output = `${name}.mp4`
  const made = sound?.made ?? null
  const read: PlanInput = {
    from: { kind: 'source' },
    ...(picture.sourceFlags === undefined ? {} : { flags: picture.sourceFlags }),
    ...(part === null ? {} : { seekMs: part.startMs, durationMs: part.durationMs }),
  }
  const inputs = [
    picture.instead ?? read,
    ...(picture.cover === undefined ? [] : [picture.cover.input]),
  ]
  const ofSound = made?.input ?? (picture.instead === undefined ? null : read)
  const soundAt = ofSound === null ? 0 : inputs.length
  const last: PlanStep = {
    id: name,
    inputs: [...inputs, ...(sound === null || ofSound === null ? [] : [ofSound])],
    args: [
      ...picture.args,
      ...(sound === null ? [] : ['-map', `${soundAt}:a:0`, ...sound.args]),
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

/** The picture of one segment. */
function planSegment(
  source: SourceProbe,
  { name, buttonText, picture, files = [] }: WholeScene,
  segment: Segment,
): RecipePlan {
  const durationMs = (segment.toMs ?? source.durationMs) - segment.fromMs
  const step: PlanStep = {
    id: name,
    inputs: [
      { from: { kind: 'source' }, ...readFor(segment) },
      ...(picture.cover === undefined ? [] : [picture.cover.input]),
    ],
    args: [
      ...picture.args,
      ...withoutTraces,
      ...deliveryMp4,
      { kind: 'output', name: SEGMENT_FILE },
    ],
    outputDurationMs: durationMs,
    weight: durationMs,
    needs: needs(picture.filters, picture.encoders),
  }
  return {
    files,
    steps: [...(picture.cover?.steps ?? []), step],
    outputs: [
      {
        name: SEGMENT_FILE,
        buttonText,
        fileName: SEGMENT_FILE,
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}
