import { EncodedPacketSink } from 'mediabunny'
import type { OpenFile } from './open-file.ts'
import { takenVideo } from './taken-tracks.ts'
import { originOfTags } from '#checks/origin-tags.ts'
import {
  camcorderNotes,
  firstParameterSet,
  isParameterSet,
  nalUnits,
  readParameterSet,
} from '#src/local/probe/h264.ts'

/** What a file says besides pictures and sound. `mayBeInterlaced` is certain only when false. */
export interface Notes {
  readonly hasLocation: boolean
  readonly hasDevice: boolean
  readonly mayBeInterlaced: boolean
}

/**
 * Reads the tags of Matroska, WebM and Ogg, and in H.264 the parameter set and a camcorder's notes
 * in the first picture. Never the words of a note.
 */
export async function readNotes(opened: OpenFile): Promise<Notes> {
  const tags = originOfTags(Object.keys((await opened.input().getMetadataTags()).raw ?? {}))
  const track = await takenVideo(opened)
  if (track === null || (await track.getCodec()) !== 'avc')
    return { ...tags, mayBeInterlaced: false }
  const description = (await track.getDecoderConfig())?.description
  // Only transport streams carry the parameter set, and camcorders' notes, within the stream.
  const picture =
    description === undefined
      ? ((await new EncodedPacketSink(track).getFirstKeyPacket())?.data ?? null)
      : null
  const parameters =
    description === undefined
      ? nalUnits(picture ?? new Uint8Array()).find(isParameterSet)
      : firstParameterSet(bytesOf(description))
  const noted =
    picture === null ? { hasLocation: false, hasDevice: false } : camcorderNotes(picture)
  return {
    hasLocation: tags.hasLocation || noted.hasLocation,
    hasDevice: tags.hasDevice || noted.hasDevice,
    mayBeInterlaced:
      parameters !== undefined &&
      parameters !== null &&
      readParameterSet(parameters)?.mayBeInterlaced === true,
  }
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}
