import type { FileTrack, LearnedTrack } from '#checks/ffprobe-tracks.ts'
import { MOST_HEARD } from '#checks/tracks.ts'
import { createLoudnessReader, loudnessMeterOf } from '#recipes/loudness.ts'
import type { PlanRun } from '#recipes/types.ts'
import { GLANCE_CPU_S, GLANCE_WALL_MS } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { glance } from '#server/media/glance.ts'
import { measurePackets } from '#server/media/measure-packets.ts'

/** Places that are listened to first, which tell a sound from silence nearly always. */
const WINDOWS = 8
const WINDOW_MS = 8000
/** The gate of EBU R128: a sound that never rises above it is measured as this. */
const SILENT_LUFS = -70
/** Sound is measured a hundred times as fast as it plays, on a slow machine. */
const SOUND_S_PER_CPU_S = 30
interface Checked {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
}

/** What was learned of the tracks of a file. */
export interface Learned {
  readonly probe: FileProbe
  /** Of the sounds that were heard, in LUFS, by the number of their stream. */
  readonly loudness: ReadonlyMap<number, number>
}

/**
 * The probe of a file with several tracks when what headers do not say of them is known: whether a
 * track of pictures is a single one, and whether a sound is silent from its beginning to its end,
 * or no decoder reads it. Of other files the same probe, at no cost. Rejects when aborted and with
 * the fault of the machine.
 */
export async function learnTracks(
  ffmpeg: Ffmpeg,
  where: Checked,
  probe: FileProbe,
): Promise<Learned> {
  if (probe.kind === 'image') return { probe, loudness: new Map() }
  const learned = new Map<number, LearnedTrack>()
  const pictures = probe.tracks.filter(({ kind }) => kind === 'picture')
  if (pictures.length > 1 && pictures.some((track) => track.pictures === null)) {
    const measured = await measurePackets(ffmpeg, { ...where, ...probe })
    for (const { streamIndex } of measured.ok ? pictures : []) {
      const stream = measured.ok ? measured.value.streams.get(streamIndex) : undefined
      learned.set(streamIndex, { pictures: stream?.packets ?? 0, lengthMs: stream?.lengthMs ?? 0 })
    }
  }
  const sounds = probe.tracks.filter(
    ({ kind, isDecodable, number }) => kind === 'sound' && isDecodable && number < MOST_HEARD,
  )
  const loudness =
    sounds.length > 1
      ? await loudnessOf(ffmpeg, where, sounds, probe.source.durationMs)
      : new Map<number, number>()
  for (const { streamIndex } of sounds.length > 1 ? sounds : []) {
    const lufs = loudness.get(streamIndex)
    learned.set(
      streamIndex,
      lufs === undefined ? { isDecodable: false } : { isSilent: lufs <= SILENT_LUFS },
    )
  }
  return { probe: learned.size === 0 ? probe : probe.whenLearned(learned), loudness }
}

type Loudness = ReadonlyMap<number, number>

/**
 * In LUFS by the number of the stream, by some places or, of those that are silent there, by all of
 * it; what no decoder reads is left out. Sounds are heard by one start of ffmpeg, and one by one
 * where it could not read all of them: a sound without a decoder ends the run of all.
 */
async function loudnessOf(
  ffmpeg: Ffmpeg,
  where: Checked,
  sounds: readonly FileTrack[],
  durationMs: number,
): Promise<Loudness> {
  const isLong = durationMs > 2 * WINDOWS * WINDOW_MS
  const some = isLong ? await listenToAll(ffmpeg, where, sounds, windowsOf(durationMs)) : NOTHING
  const unheard = sounds.filter(
    (sound) => (some.get(sound.streamIndex) ?? -Infinity) <= SILENT_LUFS,
  )
  const whole = await listenToAll(ffmpeg, where, unheard, [{ durationMs }])
  return new Map([...some, ...whole])
}

const NOTHING: Loudness = new Map()

/** A part of a file; without `seekMs`, all of it. */
interface Window {
  readonly seekMs?: number
  readonly durationMs: number
}

async function listenToAll(
  ffmpeg: Ffmpeg,
  where: Checked,
  sounds: readonly FileTrack[],
  windows: readonly Window[],
): Promise<Loudness> {
  if (sounds.length === 0) return NOTHING
  const together = await listen(ffmpeg, where, sounds, windows)
  if (together.size === sounds.length || sounds.length === 1) return together
  const alone = new Map<number, number>()
  for (const sound of sounds)
    for (const [index, lufs] of await listen(ffmpeg, where, [sound], windows))
      alone.set(index, lufs)
  return alone
}

async function listen(
  ffmpeg: Ffmpeg,
  where: Checked,
  sounds: readonly FileTrack[],
  windows: readonly Window[],
): Promise<Loudness> {
  const seconds = (sounds.length * windows.reduce((sum, each) => sum + each.durationMs, 0)) / 1000
  const reader = createLoudnessReader()
  await glance(ffmpeg, {
    ...listenRun(sounds, windows),
    pathOf: () => where.path,
    cwd: where.scratchDir,
    signal: where.signal,
    cpuSeconds: Math.ceil(GLANCE_CPU_S + seconds / SOUND_S_PER_CPU_S),
    timeoutMs: GLANCE_WALL_MS + seconds * 1000,
    onOutput: reader.add,
  })
  // What was printed before a failure says as much of a sound.
  return new Map(
    sounds.flatMap(({ streamIndex }, place) => {
      const lufs = reader.of(place)
      return lufs === null ? [] : [[streamIndex, lufs] as const]
    }),
  )
}

function windowsOf(durationMs: number): readonly Window[] {
  const gapMs = (durationMs - WINDOW_MS) / (WINDOWS - 1)
  return Array.from({ length: WINDOWS }, (_, index) => ({
    seekMs: Math.round(index * gapMs),
    durationMs: WINDOW_MS,
  }))
}

function listenRun(sounds: readonly FileTrack[], windows: readonly Window[]): PlanRun {
  const graphs = sounds.flatMap(({ number }, place) => {
    const parts = windows.map((_, index) => `[s${place}w${index}]`)
    const each = parts.map(
      (part, index) =>
        `[${index}:a:${number}]aresample=48000,aformat=channel_layouts=stereo${part}`,
    )
    const joined = `${parts.join('')}concat=n=${parts.length}:v=0:a=1,${loudnessMeterOf(place)}[a${place}]`
    return [...each, joined]
  })
  const flags = ['-vn', '-sn', '-dn']
  return {
    inputs: windows.map((window) => ({
      from: { kind: 'source' },
      ...(window.seekMs === undefined ? {} : window),
      flags,
    })),
    args: [
      '-filter_complex',
      graphs.join(';'),
      ...sounds.flatMap((_, place) => ['-map', `[a${place}]`]),
      '-f',
      'null',
      '-',
    ],
  }
}
