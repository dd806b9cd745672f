import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputOptions,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny'
import { colorsOf } from './draw.ts'
import { boxesIn } from '#checks/boxes.ts'
import type { Matrix } from '#recipes/picture.ts'

/** How the pictures of a film are described and timed. */
export interface MovieClock {
  readonly matrix: Matrix
  /** Times of pictures are whole numbers of this many parts of a second. */
  readonly rate: number
}

/** A piece of a film ([Note: kept pieces]). */
export interface MoviePiece {
  /** When its first picture is shown. */
  readonly startS: number
  /** An MP4 by itself, whose times count from there. */
  readonly movie: Blob
}

/** The encoder's pictures of one piece, as an MP4 by itself. */
export interface PieceMovie {
  readonly addPicture: (
    chunk: EncodedVideoChunk,
    meta: EncodedVideoChunkMetadata | undefined,
  ) => void
  finish(): Promise<Blob>
  /** Gives its memory back; does nothing to one that is finished. */
  cancel(): void
}

/** @param startS when its first picture is shown, by the times that the encoder was given */
export async function startPiece(
  { matrix, rate }: MovieClock,
  startS: number,
): Promise<PieceMovie> {
  const target = new BufferTarget()
  const format = new Mp4OutputFormat({ fastStart: 'in-memory' })
  const { output, pictures } = startOutput(rate, { format, target })
  await output.start()
  let written = Promise.resolve()
  return {
    addPicture: (chunk, meta) => {
      const packet = EncodedPacket.fromEncodedChunk(chunk)
      const own = packet.clone({ timestamp: packet.timestamp - startS })
      const { decoderConfig } = meta ?? {}
      const said =
        decoderConfig === undefined
          ? undefined
          : { ...meta, decoderConfig: { ...decoderConfig, colorSpace: colorsOf(matrix) } }
      written = written.then(() => pictures.add(own, said))
      // It is awaited at the end.
      written.catch(() => undefined)
    },
    finish: async () => {
      await written
      await output.finalize()
      if (target.buffer === null) throw new Error('nothing was written')
      return new Blob([target.buffer], { type: 'video/mp4' })
    },
    cancel: () => {
      if (output.state === 'started') void output.cancel().catch(() => undefined)
    },
  }
}

/**
 * Puts an edit together of its pieces and of the MP4 that ffmpeg made of its sound. Its index comes
 * first, and it says nothing of where or when it was made. Null where the pieces do not fit
 * together, because another encoder made some of them, and where one cannot be read.
 */
export async function joinMovie(
  { matrix, rate }: MovieClock,
  pieces: readonly MoviePiece[],
  sound: Blob | null,
): Promise<Blob | null> {
  const file = createFileInParts()
  const { output, pictures } = startOutput(rate, file)
  const sounds = new EncodedAudioPacketSource('aac')
  if (sound !== null) output.addAudioTrack(sounds)
  await output.start()
  try {
    const described = new Set<string>()
    for (const piece of pieces) {
      described.add(await copyPictures(piece, pictures, matrix))
      if (described.size > 1) throw new Error('encoders differ')
    }
    pictures.close()
    if (sound !== null) await copySound(sound, sounds)
    await output.finalize()
  } catch {
    await output.cancel().catch(() => undefined)
    return null
  }
  return file.finish()
}

function startOutput(rate: number, file: Pick<OutputOptions, 'format' | 'target'>) {
  const output = new Output(file)
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures, { frameRate: rate })
  return { output, pictures }
}

/**
 * [Note: film in parts] An MP4 of which half a second is held here: each half second of a track
 * becomes a Blob as it is written, which the browser keeps outside of the page's process. Its index
 * is written last, and put before them with all places in it moved: a minute of full HD lay in the
 * page three times while it was put together.
 */
function createFileInParts() {
  let [start, index] = [NONE, NONE]
  const written: { readonly place: number; readonly blob: Blob }[] = []
  const target = new StreamTarget(
    new WritableStream<StreamTargetChunk>({
      write: ({ data, position }) => void written.push({ place: position, blob: new Blob([data]) }),
    }),
  )
  const format = new Mp4OutputFormat({
    fastStart: false,
    onFtyp: (data) => {
      start = data.slice()
    },
    onMoov: (data) => {
      index = data.slice()
    },
  })
  const finish = (): Blob => {
    // Before them lie the type and the head of the box that holds them, behind them the index.
    const [head, ...others] = written
    const from = head?.blob.size ?? 0
    const parts = others.filter(({ place }) => place >= from).slice(0, -1)
    const sizeBytes = parts.reduce((sum, { blob }) => sum + blob.size, 0)
    leaveOutTraces(index)
    movePlaces(index, start.byteLength + index.byteLength + BOX_HEAD_BYTES - from)
    const film = [start, index, headOf('mdat', sizeBytes), ...parts.map(({ blob }) => blob)]
    return new Blob(film, { type: 'video/mp4' })
  }
  return { target, format, finish }
}

const NONE = new Uint8Array()
/** Its length and its type. */
const BOX_HEAD_BYTES = 8

function headOf(type: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(BOX_HEAD_BYTES)
  new DataView(head.buffer).setUint32(0, BOX_HEAD_BYTES + sizeBytes)
  writeText(head.subarray(4), type)
  return head
}

/** Moves where an index says that chunks of samples begin (ISO/IEC 14496-12, 8.7.5). */
function movePlaces(bytes: Uint8Array, by: number, start = 0, end = bytes.byteLength): void {
  for (const { type, bodyStart, end: boxEnd } of boxesIn(bytes, start, end)) {
    if (HOLDERS.has(type)) movePlaces(bytes, by, bodyStart, boxEnd)
    if (type !== 'stco') continue
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // After version, flags and their number.
    for (let at = bodyStart + 8; at < boxEnd; at += 4) view.setUint32(at, view.getUint32(at) + by)
  }
}

/** @returns what their decoder must know */
async function copyPictures(
  { startS, movie }: MoviePiece,
  into: EncodedVideoPacketSource,
  matrix: Matrix,
): Promise<string> {
  const input = new Input({ source: new BlobSource(movie), formats: [MP4] })
  try {
    const track = await input.getPrimaryVideoTrack()
    const read = (await track?.getDecoderConfig()) ?? null
    if (track === null || read === null) throw new Error('no picture was made')
    const decoderConfig = { ...read, colorSpace: colorsOf(matrix) }
    for await (const packet of new EncodedPacketSink(track).packets()) {
      const timestamp = packet.timestamp + startS
      await into.add(packet.clone({ timestamp }), { decoderConfig })
    }
    return String(bytesOf(read.description))
  } finally {
    input.dispose()
  }
}

function bytesOf(description: AllowSharedBufferSource | undefined): Uint8Array {
  if (description === undefined) return new Uint8Array()
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description)
}

/**
 * The packets as they are. Those before time zero prime a decoder: the file says that they are not
 * heard, so that the sound is not late by them.
 */
async function copySound(sound: Blob, into: EncodedAudioPacketSource): Promise<void> {
  const input = new Input({ source: new BlobSource(sound), formats: [MP4] })
  try {
    const track = await input.getPrimaryAudioTrack()
    const decoderConfig = (await track?.getDecoderConfig()) ?? null
    if (track === null || decoderConfig === null) throw new Error('no sound was made')
    for await (const packet of new EncodedPacketSink(track).packets())
      await into.add(packet, { decoderConfig })
    into.close()
  } finally {
    input.dispose()
  }
}

const HOLDERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
const DATED: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd'])
const HANDLERS: Readonly<Record<string, string>> = { vide: 'VideoHandler', soun: 'SoundHandler' }

/**
 * The boxes of MP4 that say when and with what it was made then say what those of the server's
 * files do: nothing, or the usual words.
 */
function leaveOutTraces(bytes: Uint8Array, start = 0, end = bytes.byteLength): void {
  for (const { type, bodyStart, end: boxEnd } of boxesIn(bytes, start, end)) {
    if (HOLDERS.has(type)) leaveOutTraces(bytes, bodyStart, boxEnd)
    // Entries come after version, flags and their number.
    if (type === 'stsd') leaveOutTraces(bytes, bodyStart + 8, boxEnd)
    if (DATED.has(type)) {
      // After version and flags: when it was made, and when it was changed.
      const times = bodyStart + 4
      bytes.fill(0, times, times + (bytes[bodyStart] === 1 ? 16 : 8))
    }
    if (type === 'hdlr') {
      const kind = String.fromCharCode(...bytes.subarray(bodyStart + 8, bodyStart + 12))
      writeText(bytes.subarray(bodyStart + 24, boxEnd), HANDLERS[kind] ?? '')
    }
    // Who encoded it, in 32 bytes (ISO/IEC 14496-12, 12.1.3).
    if (type === 'avc1') bytes.fill(0, bodyStart + 42, bodyStart + 74)
  }
}

/** The rest becomes zeros. */
function writeText(room: Uint8Array, text: string): void {
  room.fill(0)
  room.set(new TextEncoder().encode(text).subarray(0, room.byteLength))
}
