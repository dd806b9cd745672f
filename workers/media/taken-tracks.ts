import type { Input, InputAudioTrack, InputVideoTrack } from 'mediabunny'
import { withLimit } from './limit.ts'
import { wordsOfTrack } from '#checks/ffprobe-tracks.ts'
import type { OpenFile } from './open-file.ts'
import { segmentTracks } from './quick-times.ts'
import { isSilent } from './hear-sound.ts'
import {
  isDecodableSound,
  MOST_HEARD,
  takenTrack,
  trackFacts,
  type NamedTrack,
  type TrackFacts,
} from '#checks/tracks.ts'

/** What of a file is its video and its sound, by the rule of the server (checks/tracks.ts). */
export interface TakenInputs {
  readonly video: InputVideoTrack | null
  readonly audio: InputAudioTrack | null
  readonly facts: TrackFacts
}

/** A disk that is slow leaves open whether a sound is silent. */
const HEAR_LIMIT_MS = 1_500
const BOXED: ReadonlySet<string> = new Set(['MP4', 'QuickTime File Format'])
const SEGMENTED: ReadonlySet<string> = new Set(['Matroska', 'WebM'])

const known = new WeakMap<Input, Promise<TakenInputs>>()

/**
 * The tracks of an open file. Once for all of its readers: of several sounds some seconds are
 * heard. Throws for what the fast reader cannot read.
 */
export function takenTracks(opened: OpenFile): Promise<TakenInputs> {
  const input = opened.input()
  const taken = known.get(input) ?? findTaken(opened, input)
  known.set(input, taken)
  return taken
}

export async function takenVideo(opened: OpenFile): Promise<InputVideoTrack | null> {
  return (await takenTracks(opened)).video
}

export async function takenAudio(opened: OpenFile): Promise<InputAudioTrack | null> {
  return (await takenTracks(opened)).audio
}

/** Whether the fast reader and ffmpeg surely count the tracks of such a file alike. */
export function areCountedAlike(
  { audioTrackCount, videoTrackCount }: TrackFacts,
  format: string,
): boolean {
  return (audioTrackCount < 2 && videoTrackCount < 2) || BOXED.has(format) || SEGMENTED.has(format)
}

async function findTaken(opened: OpenFile, input: Input): Promise<TakenInputs> {
  const [{ name: format }, videos, audios] = [
    await input.getFormat(),
    await input.getVideoTracks(),
    await input.getAudioTracks(),
  ]
  const noted =
    videos.length + audios.length > 2 && SEGMENTED.has(format)
      ? await segmentTracks(opened.read)
      : null
  const describe = async (track: InputVideoTrack | InputAudioTrack): Promise<Described> => {
    const isMarked = (await track.getDisposition()).default
    const own = await track.getCodec()
    const codec = own ?? String(await track.getInternalCodecId())
    const ends = BOXED.has(format)
      ? await track.getDurationFromMetadata()
      : (noted?.ends.get(track.id) ?? null)
    return {
      kind: track.isVideoTrack() ? 'picture' : 'sound',
      number: track.number - 1,
      codec,
      isDecodable: isDecodableSound(codec),
      isDisabled: BOXED.has(format) && !isMarked,
      isDefault: isMarked,
      lengthMs: ends === null ? null : Math.round(ends * 1_000),
      size: track.isVideoTrack()
        ? (await track.getCodedWidth()) * (await track.getCodedHeight())
        : await (track as InputAudioTrack).getNumberOfChannels(),
      pictures: null,
      isSilent: null,
      ...wordsOfTrack({
        language: await track.getLanguageCode(),
        [BOXED.has(format) ? 'handler_name' : 'title']: (await track.getName()) ?? '',
      }),
    }
  }
  // Blocks are only counted among pictures: sound has more of them.
  const ofPictures = videos.map(({ id }) => noted?.blocks.get(id) ?? 0)
  const blocks = Math.max(0, ...ofPictures) > 2 ? (noted?.blocks ?? null) : null
  const pictures = await Promise.all(
    videos.map(async (track) => ({
      ...(await describe(track)),
      pictures: videos.length < 2 ? null : await countPictures(track, format, blocks),
    })),
  )
  const all = await Promise.all(audios.map(describe))
  const isChoice = all.filter(({ isDecodable }) => isDecodable).length > 1
  const sounds: Described[] = []
  for (const [index, sound] of all.entries()) {
    const track = audios[index]
    const isHeard = isChoice && sound.isDecodable && track !== undefined && index < MOST_HEARD
    sounds.push({ ...sound, isSilent: isHeard ? await hear(track) : null })
  }
  const [picture, sound] = [takenTrack(pictures, 'picture'), takenTrack(sounds, 'sound')]
  return {
    video: videos[picture?.number ?? -1] ?? null,
    audio: audios[sound?.number ?? -1] ?? null,
    facts: trackFacts([...pictures, ...sounds]),
  }
}

type Described = NamedTrack

/**
 * One, or more, or null where it takes reading all of the file to know. Of a segment, the first
 * bytes say it as soon as they hold some pictures of another track.
 */
async function countPictures(
  track: InputVideoTrack,
  format: string,
  blocks: ReadonlyMap<number, number> | null,
): Promise<number | null> {
  if (BOXED.has(format))
    return (await track.computePacketStats(2, { metadataOnly: true })).packetCount
  return blocks?.get(track.id) ?? null
}

/** By windows spread over it; null where this browser cannot decode it, or not in time. */
async function hear(track: InputAudioTrack): Promise<boolean | null> {
  const over = new AbortController()
  try {
    return await withLimit(isSilent(track, over.signal), HEAR_LIMIT_MS, over.signal)
  } catch {
    return null
  } finally {
    over.abort()
  }
}
