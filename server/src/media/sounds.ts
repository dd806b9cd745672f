import { wordsOfTrack, type TrackWords } from '#checks/ffprobe-tracks.ts'
import type { Finding } from '#checks/facts.ts'
import { soundsToChoose } from '#checks/tracks.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { measureWidth } from '#server/media/measure-width.ts'

/** One of the sounds between which the owner of a video chooses. */
export interface SoundChoice extends TrackWords {
  /** Among all sounds of the file, from 0. */
  readonly number: number
  /** Of the sound itself; null = not known. */
  readonly durationMs: number | null
  /** Null = not known. */
  readonly lufs: number | null
  /** The rule takes it while nothing is chosen. */
  readonly isUsual: boolean
  /** The video with this sound, as plans and prices need it. */
  readonly probe: SourceProbe
  readonly findings: readonly Finding[]
}

/** A checked video, and what was learned of its sounds. */
interface SoundsOf {
  /** With the sound that the rule takes. */
  readonly probe: FileProbe
  /** In LUFS, by the number of the stream. */
  readonly loudness: ReadonlyMap<number, number>
  /** How long each stream is, by its number. */
  readonly lengths: ReadonlyMap<number, { readonly lengthMs: number }>
  /** The same video with one of its other sounds; null where no edit could be made of that. */
  readonly withSound: (sound: number) => FileProbe | null
  readonly findingsOf: (probe: FileProbe) => readonly Finding[]
}

/**
 * The sounds between which the owner of a video chooses, each with the video that it makes; none
 * where fewer than two are heard. Costs one start of ffmpeg for each that the rule does not take.
 * Rejects when aborted and with the fault of the machine.
 */
export async function readSounds(
  ffmpeg: Ffmpeg,
  check: { readonly path: string; readonly scratchDir: string; readonly signal: AbortSignal },
  { probe, loudness, lengths, withSound, findingsOf }: SoundsOf,
): Promise<readonly SoundChoice[]> {
  const usual = probe.source.tracks?.sound ?? 0
  const choices: SoundChoice[] = []
  for (const { number, streamIndex, lengthMs, stream } of soundsToChoose(probe.tracks)) {
    const isUsual = number === usual
    const video = isUsual ? probe : withSound(number)
    if (video === null) continue
    const soundWidthDb = isUsual ? null : await measureWidth(ffmpeg, check, video.source)
    choices.push({
      number,
      durationMs: lengths.get(streamIndex)?.lengthMs ?? lengthMs,
      lufs: loudness.get(streamIndex) ?? null,
      ...wordsOfTrack(stream.tags),
      isUsual,
      probe: { ...video.source, ...(soundWidthDb === null ? {} : { soundWidthDb }) },
      findings: findingsOf(video),
    })
  }
  return choices.length < 2 ? [] : choices
}

/**
 * A checked video with what follows from another sound in the place of what followed from its own.
 * Pure.
 * @param other the same file with the other sound, as headers and packets describe it
 */
export function takeSound(checked: FileProbe, other: FileProbe): FileProbe {
  const {
    tracks: _tracks,
    isAdts: _isAdts,
    soundFits: _soundFits,
    soundWidthDb: _soundWidthDb,
    nominalRate: _nominalRate,
    ...kept
  } = checked.source
  const { taken: _taken, ...facts } = checked.facts
  const { source } = other
  return {
    ...checked,
    soundIndex: other.soundIndex,
    source: {
      ...kept,
      ...(source.tracks === undefined ? {} : { tracks: source.tracks }),
      ...(source.isAdts === undefined ? {} : { isAdts: source.isAdts }),
      ...(source.soundFits === undefined ? {} : { soundFits: source.soundFits }),
      ...(source.nominalRate === undefined ? {} : { nominalRate: source.nominalRate }),
      ...(source.longestStayMs === undefined ? {} : { longestStayMs: source.longestStayMs }),
      durationMs: source.durationMs,
      frameRate: source.frameRate,
      audioCodec: source.audioCodec,
      audioChannels: source.audioChannels,
    },
    facts: {
      ...facts,
      ...(other.facts.taken === undefined ? {} : { taken: other.facts.taken }),
      durationMs: source.durationMs,
      audio: other.facts.audio,
    },
    deep: { ...checked.deep, sound: other.deep.sound },
  }
}
