import type { HeardSound } from './facts.ts'
import { isDecodableSound, takenTrack, trackFacts, type Track, type TrackFacts } from './tracks.ts'

/** What of ffprobe's streams says which of them are taken. */
interface TrackStream {
  readonly index?: number | undefined
  readonly codec_type?: string | undefined
  readonly codec_name?: string | undefined
  /** Four letters in MP4 and MOV. */
  readonly codec_tag_string?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly channels?: number | undefined
  readonly nb_frames?: string | undefined
  readonly duration?: string | undefined
  readonly disposition?:
    | { readonly attached_pic?: number | undefined; readonly default?: number | undefined }
    | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
}

/** What a look into the packets or the sound of a track found; what is left out is not known. */
export type LearnedTrack = Partial<
  Pick<Track, 'isDecodable' | 'isSilent' | 'lengthMs' | 'pictures' | 'isChosen'>
>
/** By the number of the stream in its file. */
export type LearnedTracks = ReadonlyMap<number, LearnedTrack>

export interface FileTrack<S extends TrackStream = TrackStream> extends Track {
  readonly streamIndex: number
  readonly stream: S
}

/** The tracks of a file in its order. Covers that belong to it are none. */
export function tracksOf<S extends TrackStream>(
  streams: readonly S[],
  formatName: string,
  learned: LearnedTracks = new Map(),
): readonly FileTrack<S>[] {
  const isMov = formatName.startsWith('mov,')
  const numbers = { picture: 0, sound: 0 }
  return streams.flatMap((stream, place): FileTrack<S>[] => {
    const kind = kindOf(stream)
    if (kind === null) return []
    const streamIndex = stream.index ?? place
    const isMarked = stream.disposition?.default === 1
    const track: FileTrack<S> = {
      kind,
      number: numbers[kind],
      isDecodable: kind === 'picture' ? isNamed(stream) : isDecodableSound(codecOf(stream)),
      // ffprobe's mark is the flag `enabled` there.
      isDisabled: isMov && !isMarked,
      isDefault: isMarked,
      lengthMs: lengthOf(stream),
      size: kind === 'picture' ? areaOf(stream) : (stream.channels ?? 0),
      pictures: stream.nb_frames === undefined ? null : Number(stream.nb_frames),
      isSilent: null,
      ...learned.get(streamIndex),
      streamIndex,
      stream,
    }
    numbers[kind] += 1
    return [track]
  })
}

/** What of a file is its video and its sound, and what the quick check is told of the others. */
interface TakenStreams<S extends TrackStream> {
  readonly video: FileTrack<S> | null
  readonly audio: FileTrack<S> | null
  readonly facts: TrackFacts
}

export function takenStreams<S extends TrackStream>(
  tracks: readonly FileTrack<S>[],
): TakenStreams<S> {
  return {
    video: takenTrack(tracks, 'picture'),
    audio: takenTrack(tracks, 'sound'),
    facts: trackFacts(
      tracks.map((track) => ({
        ...track,
        codec: codecOf(track.stream),
        ...wordsOfTrack(track.stream.tags),
      })),
    ),
  }
}

/** What ffprobe calls a codec, or the file where ffprobe has no name for it. */
function codecOf({ codec_name: name, codec_tag_string: tag }: TrackStream): string {
  return name === undefined || name === 'unknown' ? (tag ?? '') : name
}

function kindOf({ codec_type: type, disposition }: TrackStream): Track['kind'] | null {
  if (type === 'audio') return 'sound'
  return type === 'video' && disposition?.attached_pic !== 1 ? 'picture' : null
}

function isNamed({ codec_name: name }: TrackStream): boolean {
  return name !== undefined && name !== 'unknown'
}

function areaOf({ width = 0, height = 0 }: TrackStream): number {
  return width * height
}

/** What a file says of one of its tracks. */
export type TrackWords = Pick<HeardSound, 'language' | 'title'>

const LONGEST_LANGUAGE = 35
const LONGEST_TITLE = 200
/** What is read of words that a file may have by the megabyte. */
const READ_CHARS = 10 * LONGEST_TITLE
/** ISO 639: no language, not known, several, none at all. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['', 'und', 'mis', 'mul', 'zxx'])
/** What writers name a track by themselves; it tells no sound from another. */
const OWN_NAMES = /^(sound ?handler|core media audio|gpac .*|.*mainconcept.*|iso media.*|audio)?$/i

/** The words of MP4 and MOV stand in `handler_name`, those of other files in `title`. */
export function wordsOfTrack(tags: Readonly<Record<string, string>> = {}): TrackWords {
  const said = (...names: readonly string[]): string =>
    plain(names.map((name) => tags[name]).find((text) => text !== undefined) ?? '')
  const language = said('language', 'LANGUAGE').toLowerCase()
  const handler = said('handler_name')
  const title = said('title', 'TITLE', 'name') || (OWN_NAMES.test(handler) ? '' : handler)
  return {
    language: NO_LANGUAGE.has(language) || language.length > LONGEST_LANGUAGE ? null : language,
    title: title === '' ? null : [...title].slice(0, LONGEST_TITLE).join(''),
  }
}

/** Without control characters and marks that turn the direction of what stands around them. */
function plain(text: string): string {
  return text
    .slice(0, READ_CHARS)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
    .trim()
}

/** Matroska's writers note the end of a track in a tag. */
function lengthOf({ duration, tags }: TrackStream): number | null {
  const seconds = Number(duration ?? Number.NaN)
  const said = Number.isFinite(seconds) ? seconds : clockSeconds(tags?.['DURATION'])
  return said === null ? null : Math.round(said * 1000)
}

/** `00:01:00.021000000` in seconds. */
export function clockSeconds(text: string | undefined): number | null {
  const match = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text ?? '')
  return match === null ? null : Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])
}
