import type { TakenTracks } from '#recipes/types.ts'
import type { Finding, HeardSound, SourceFacts } from './facts.ts'

/**
 * A track of pictures or of sound as a reader describes it. Covers that only belong to a file
 * (attached pictures) are no tracks. Null always means: not known.
 */
export interface Track {
  readonly kind: 'picture' | 'sound'
  /** Among the tracks of its kind, from 0: ffmpeg's `V:0` and `a:0`. */
  readonly number: number
  readonly isDecodable: boolean
  /** Off by the word of its file (the flag of MP4's `tkhd`): no player shows it by itself. */
  readonly isDisabled: boolean
  /** Marked as the one that players take. */
  readonly isDefault: boolean
  readonly lengthMs: number | null
  /** Of pictures, in pixels; of sound, its channels. */
  readonly size: number
  /** Of a track of pictures, how many there are: whether one or more is all that counts. */
  readonly pictures: number | null
  /** Of sound, whether nothing is heard from its beginning to its end. */
  readonly isSilent: boolean | null
  /** Of sound, what the owner of the file chose; left out = not. */
  readonly isChosen?: boolean
}

export const FIRST_TRACKS: TakenTracks = { picture: 0, sound: 0 }

/**
 * Tracks whose lengths differ by less are equally long: writers end sound and picture of one
 * recording up to a second apart.
 */
const EQUAL_MS = 1_000

/** What is left of some tracks after one rule. */
type Rule = (tracks: readonly Track[]) => readonly Track[]

/**
 * In the order in which they count. A silent sound is left out before a disabled one: some editors
 * mark the music track and switch off the voice, and an edit without sound is worth nothing.
 */
const RULES: readonly Rule[] = [
  (tracks) => tracks.filter(({ isDecodable }) => isDecodable),
  (tracks) => tracks.filter(({ isChosen }) => isChosen === true),
  (tracks) => tracks.filter(({ pictures }) => pictures === null || pictures > 1),
  (tracks) => tracks.filter(({ isSilent }) => isSilent !== true),
  (tracks) => tracks.filter(({ isDisabled }) => !isDisabled),
  (tracks) => tracks.filter(({ isDefault }) => isDefault),
  (tracks) => {
    const longest = Math.max(...tracks.map(({ lengthMs }) => lengthMs ?? 0))
    return tracks.filter(({ lengthMs }) => (lengthMs ?? 0) > longest - EQUAL_MS)
  },
  (tracks) => {
    const largest = Math.max(...tracks.map(({ size }) => size))
    return tracks.filter(({ size }) => size === largest)
  },
]

/**
 * The track of the kind that is the video, or its sound; null where there is none. A rule that
 * would leave nothing does not count, but a sound that no edit can decode is none. Pure.
 */
export function takenTrack<T extends Track>(tracks: readonly T[], kind: Track['kind']): T | null {
  const all = tracks.filter((track) => track.kind === kind)
  const usable = kind === 'sound' ? all.filter(({ isDecodable }) => isDecodable) : all
  const best = RULES.reduce((left: readonly Track[], rule) => {
    const kept = rule(left)
    return kept.length === 0 ? left : kept
  }, usable)
  return usable.find((track) => track === best[0]) ?? null
}

/** More sounds than any recorder writes; those behind them count as heard. */
export const MOST_HEARD = 8

/**
 * The sounds between which the owner of a file chooses: those that edits can use and that are not
 * silent throughout, in the order of the file; none where there are fewer than two. One that is off
 * is among them: some editors switch the voice off. Pure.
 */
export function soundsToChoose<T extends Track>(tracks: readonly T[]): readonly T[] {
  const heard = tracks.filter(
    ({ kind, number, isDecodable, isSilent }) =>
      kind === 'sound' && number < MOST_HEARD && isDecodable && isSilent !== true,
  )
  return heard.length < 2 ? [] : heard
}

/** What the quick check is told of all tracks of a file. */
export type TrackFacts = Pick<
  SourceFacts,
  'videoTrackCount' | 'audioTrackCount' | 'taken' | 'unreadableSound' | 'sounds'
>

/** A track with what its file calls it. */
export type NamedTrack = Track & Pick<HeardSound, 'codec' | 'language' | 'title'>

export function trackFacts(tracks: readonly NamedTrack[]): TrackFacts {
  const sounds = tracks.filter(({ kind }) => kind === 'sound')
  const unreadable = sounds.find(({ isDecodable }) => !isDecodable)
  const [picture, sound] = (['picture', 'sound'] as const).map(
    (kind) => takenTrack(tracks, kind)?.number ?? 0,
  )
  return {
    videoTrackCount: tracks.length - sounds.length,
    audioTrackCount: sounds.length,
    ...takenOf(picture, sound),
    ...(unreadable === undefined ? {} : { unreadableSound: unreadable.codec }),
    ...heardSounds(tracks),
  }
}

function heardSounds(tracks: readonly NamedTrack[]): Pick<TrackFacts, 'sounds'> {
  const sounds = soundsToChoose(tracks).map(
    ({ number, codec, size, lengthMs, language, title }) => ({
      number,
      codec,
      channels: size,
      lengthMs,
      language,
      title,
    }),
  )
  return sounds.length === 0 ? {} : { sounds }
}

/** The tracks that rule A15 named, of a check made anywhere; null where it said nothing of them. */
export function namedTracks(findings: readonly Finding[]): TakenTracks | null {
  const facts = findings.find(({ ruleId }) => ruleId === 'A15')?.facts
  const taken = facts?.['taken']
  if (facts === undefined || taken === undefined) return null
  const isPicture = facts['kind'] === 'picture'
  const [picture, sound] = isPicture ? [taken, 1] : [facts['picture'] ?? 1, taken]
  return { picture: Number(picture) - 1, sound: Number(sound) - 1 }
}

/** Findings that name the sound which is taken, from 1, in the place of another. Pure. */
export function namingSound(findings: readonly Finding[], sound: number): readonly Finding[] {
  return findings.map((finding) =>
    finding.ruleId === 'A15' && finding.facts['kind'] === 'sound'
      ? { ...finding, facts: { ...finding.facts, taken: sound } }
      : finding,
  )
}

/** Said only where it is not the first of each. */
function takenOf(picture = 0, sound = 0): Pick<TrackFacts, 'taken'> {
  return picture + sound === 0 ? {} : { taken: { picture, sound } }
}

/**
 * What no edit can decode, by ffmpeg's name of the codec and by its four letters in MP4 and MOV:
 * spatial sound of phones (APAC), AC-4 and MPEG-H. No name: no decoder knows it.
 */
const UNDECODABLE: ReadonlySet<string> = new Set([
  '',
  'unknown',
  'none',
  'apac',
  'ac4',
  'ac-4',
  'mpegh_3d_audio',
  'mha1',
  'mha2',
  'mhm1',
  'mhm2',
])

/** Whether edits can use a sound of this codec. */
export function isDecodableSound(codec: string): boolean {
  return !UNDECODABLE.has(codec.toLowerCase())
}
