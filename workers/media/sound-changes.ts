import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import type { OpenFile } from './open-file.ts'
import { areDifferent, soundFormAt, soundFormsInBlocks } from '#src/local/probe/sound-forms.ts'
import { gridOf, soundFormsIn } from '#src/local/probe/transport-stream.ts'

/**
 * Sound that is another for a tenth of a film is seen; what is shorter may be seen after the upload
 * only.
 */
const PLACES = 12
/** Of each place, some tenths of a second of a film from a disc. */
const PLACE_BYTES = 512 * 1024
/** An index tells where sound is, so that a place of it is a packet. */
const INDEXED_PLACES = 48
/** Sound whose form the file says once; that of a transport stream each frame says, also of AAC. */
const SAID_ONCE = /^(?:aac|opus|vorbis|flac|alac|pcm-.*|ulaw|alaw)$/

/**
 * Whether channels or the rate of the sound change within the file, as frames at places spread over
 * it say them: no edit could keep such sound. Reads 6 MB at the most, and nothing of sound whose
 * form the file says once.
 */
export async function soundChanges(
  opened: OpenFile,
  format: string,
  track: InputAudioTrack | null,
): Promise<boolean> {
  if (track === null) return false
  const isStream = format === 'MPEG Transport Stream'
  if (!isStream && SAID_ONCE.test((await track.getCodec()) ?? '')) return false
  if (isStream) return areDifferent(await formsOfStream(opened, track.id))
  const isSegment = format === 'Matroska' || format === 'WebM'
  return areDifferent(await (isSegment ? formsOfSegment(opened, track.id) : formsOfPackets(track)))
}

async function formsOfStream(opened: OpenFile, pid: number): Promise<readonly string[]> {
  const grid = gridOf(await opened.read(0, 1024))
  if (grid === null) return []
  const { startsAt, strideBytes } = grid
  return await formsAtPlaces(
    opened,
    (place) => startsAt + Math.floor((place - startsAt) / strideBytes) * strideBytes,
    (bytes) => soundFormsIn(bytes, strideBytes, pid),
  )
}

async function formsOfSegment(opened: OpenFile, track: number): Promise<readonly string[]> {
  return await formsAtPlaces(
    opened,
    (place) => place,
    (bytes) => soundFormsInBlocks(bytes, track),
  )
}

/** What is said at places from the beginning to the end of a file, of which a small one is read. */
async function formsAtPlaces(
  { file, read }: OpenFile,
  startOf: (place: number) => number,
  formsIn: (bytes: Uint8Array) => Iterable<string>,
): Promise<readonly string[]> {
  const lastPlace = Math.max(0, file.size - PLACE_BYTES)
  const count = Math.min(PLACES, Math.ceil(file.size / PLACE_BYTES))
  const forms: string[] = []
  for (let index = 0; index < count; index += 1) {
    const start = Math.max(0, startOf(Math.floor((lastPlace * index) / Math.max(1, count - 1))))
    forms.push(...formsIn(await read(start, start + PLACE_BYTES)))
  }
  return forms
}

async function formsOfPackets(track: InputAudioTrack): Promise<readonly string[]> {
  const sink = new EncodedPacketSink(track)
  const start = await track.getFirstTimestamp()
  const end = await track.computeDuration({ metadataOnly: true })
  const forms: string[] = []
  for (let index = 0; index < INDEXED_PLACES; index += 1) {
    const at = start + ((end - start) * (index + 0.5)) / INDEXED_PLACES
    // What is cut off or damaged says nothing.
    const packet = await sink.getPacket(at).catch(() => null)
    const form = soundFormAt(packet?.data ?? new Uint8Array())
    if (form !== null) forms.push(form)
  }
  return forms
}
