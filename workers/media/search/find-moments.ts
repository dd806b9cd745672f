import type { Input, InputAudioTrack } from 'mediabunny'
import { openInput } from '#workers/media/open-file.ts'
import { sourcePicture, type SourcePicture } from '#workers/media/render/frames.ts'
import { hearLevels } from './hear-levels.ts'
import { lookAtPictures, type LookTools } from './look-pictures.ts'
import { createSmallPictures } from './small-picture.ts'
import { surveyPackets } from './survey.ts'
import { FIRST_TRACKS } from '#checks/tracks.ts'
import { searchBySight, type Part, type SeenPart } from '#recipes/analysis.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { FindFailure, FoundMoments } from '#src/local/edits/found-moments.ts'

export interface FindJob {
  readonly file: File
  readonly source: SourceProbe
  readonly signal: AbortSignal
}

export interface FindDeps {
  /** Resolves when nothing that a person waits for is under way. */
  readonly turn: (signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

/** Sources up to here are looked at as much as the server does, however long that takes. */
const AS_SERVER_MS = 600_000
/** So much work is done for a longer one. */
const BUDGET_MS = 60_000
const INDEXED: ReadonlySet<string> = new Set(['MP4', 'QuickTime File Format'])

/**
 * Searches a file for moments by the code of the server: only packets and pictures come from this
 * browser. People are not looked for.
 */
export async function findMoments(
  deps: FindDeps,
  { file, source, signal }: FindJob,
  onShare: (share: number) => void,
): Promise<Result<FoundMoments, FindFailure>> {
  const input = openInput(file)
  const stop = (): void => input.dispose()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await findIn(input, deps, { file, source, signal }, onShare)
  } catch (thrown) {
    if (signal.aborted) return err({ code: 'probe/cancelled' })
    return err(failureOf(thrown))
  } finally {
    signal.removeEventListener('abort', stop)
    input.dispose()
  }
}

function failureOf(thrown: unknown): FindFailure {
  const name = thrown instanceof Error ? thrown.name : ''
  if (name === 'NotReadableError') return { code: 'probe/changed' }
  if (name === 'NotFoundError') return { code: 'probe/gone' }
  return { code: 'find/nothing-seen' }
}

async function findIn(
  input: Input,
  deps: FindDeps,
  { file, source, signal }: FindJob,
  onShare: (share: number) => void,
): Promise<Result<FoundMoments, FindFailure>> {
  const format = await input.getFormat().catch(() => null)
  if (format === null) return err({ code: 'find/unknown-file' })
  const picture = await sourcePicture(input, source)
  if (picture === null) return err({ code: 'find/no-decoder' })
  const look = await createLook(input, picture, source, signal)
  let workedMs = 0
  const found = await searchBySight(
    source,
    {
      survey: async () => {
        await deps.turn(signal)
        const isIndexed = INDEXED.has(format.name)
        const surveyed = { ...picture, isIndexed, sizeBytes: file.size }
        return await surveyPackets(surveyed, source.durationMs, signal)
      },
      look: async (part, onPart) => {
        await deps.turn(signal)
        if (source.durationMs > AS_SERVER_MS && workedMs >= BUDGET_MS) return null
        const begun = deps.now()
        const seen = await look(part, onPart)
        workedMs += deps.now() - begun
        return seen
      },
    },
    { onProgress: onShare },
  )
  signal.throwIfAborted()
  const { moments, looked, parts } = found
  return moments.length === 0
    ? err({ code: 'find/nothing-seen' })
    : ok({ moments, isQuick: looked < parts })
}

/** Looks at parts. One that cannot be decoded shows nothing, as at the server. */
async function createLook(
  input: Input,
  picture: SourcePicture,
  source: SourceProbe,
  signal: AbortSignal,
): Promise<(part: Part, onShare: (share: number) => void) => Promise<SeenPart>> {
  const small = createSmallPictures(await picture.track.getRotation())
  const sound = await decodedSound(input, source)
  let isQuick = true
  const picturesOf = async (
    part: Part,
    onShare: (share: number) => void,
  ): Promise<SeenPart['pictures']> => {
    const tools: LookTools = { picture, small, isQuick, signal, onShare }
    try {
      return await lookAtPictures(part, tools)
    } catch (thrown) {
      signal.throwIfAborted()
      if (isOfFile(thrown)) throw thrown
      if (!isQuick) return []
      // A decoder may refuse pictures that are left out.
      isQuick = false
      return await picturesOf(part, onShare)
    }
  }
  return async (part, onShare) => {
    const pictures = await picturesOf(part, onShare)
    const levels =
      sound === null
        ? []
        : await hearLevels(sound, picture.startS, part, signal).catch((thrown: unknown) => {
            signal.throwIfAborted()
            if (isOfFile(thrown)) throw thrown
            return []
          })
    return { pictures, levels }
  }
}

/** The file is gone or was changed: no other part of it is there. */
function isOfFile(thrown: unknown): boolean {
  return thrown instanceof DOMException && /^Not(Readable|Found)Error$/.test(thrown.name)
}

async function decodedSound(input: Input, source: SourceProbe): Promise<InputAudioTrack | null> {
  if (!source.hasAudio) return null
  const { sound } = source.tracks ?? FIRST_TRACKS
  const track = (await input.getAudioTracks()).find(({ number }) => number === sound + 1)
  return track !== undefined && (await track.canDecode()) ? track : null
}
