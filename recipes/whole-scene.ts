import { deliveryMp4, needs, withoutEncoder, withoutTraces } from './encoding.ts'
import { outputFileName } from './naming.ts'
import { joinedInput, joinedList, readFor, SEGMENT_FILE } from './segments.ts'
import type {
  PlanFile,
  PlanInput,
  PlanStep,
  PlanContext,
  PreviewWindow,
  RecipePlan,
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
}

/** A file of the sound alone, for a device that makes the picture itself; null for no sound. */
export function planSceneSound(source: SourceProbe, sound: WholeSound | null): RecipePlan | null {
  if (sound === null) return null
  const picture = { args: [], filters: [], encoders: [] }
  const named = { name: 'sound', suffix: 'sound', buttonText: 'Download sound' }
  return planScene(source, {}, { ...named, picture, sound })
}

/**
 * The steps of the sound, then one step that encodes picture and sound together. Where the context
 * says so: of one segment, or of what is made of all.
 */
export function planScene(
  source: SourceProbe,
  { divided }: Pick<PlanContext, 'divided'>,
  scene: WholeScene,
): RecipePlan {
  const { joints } = scene.picture
  if (divided === undefined || joints === undefined) return planWhole(source, scene)
  return divided.kind === 'segment'
    ? planSegment(source, scene, divided.segment)
    : planWhole(source, {
        ...scene,
        files: [joinedList(divided.segments, joints)],
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
      // In this clock a file says when its first picture comes: by default, in milliseconds.
      '-movie_timescale',
      '90000',
      { kind: 'output', name: SEGMENT_FILE },
    ],
    outputDurationMs: durationMs,
    weight: durationMs,
    needs: needs(picture.filters, picture.encoders),
  }
  return {
    files,
    ...(picture.cover?.mask === undefined ? {} : { masks: [picture.cover.mask] }),
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
