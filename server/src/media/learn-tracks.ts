import type { FileTrack, LearnedTrack } from '#checks/ffprobe-tracks.ts'
import { MOST_HEARD } from '#checks/tracks.ts'
import { loudnessIn, LOUDNESS_METER } from '#recipes/loudness.ts'
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
/** More than the last line of a meter. */
const LAST_CHARS = 200

interface Checked {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
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
): Promise<FileProbe> {
  if (probe.kind === 'image') return probe
  const learned = new Map<number, LearnedTrack>()
  const pictures = probe.tracks.filter(({ kind }) => kind === 'picture')
  if (pictures.length > 1 && pictures.some((track) => track.pictures === null)) {
    const measured = await measurePackets(ffmpeg, { ...where, ...probe })
    for (const { streamIndex } of measured.ok ? pictures : []) {
      const stream = measured.ok ? measured.value.streams.get(streamIndex) : undefined
      learned.set(streamIndex, { pictures: stream?.packets ?? 0, lengthMs: stream?.lengthMs ?? 0 })
    }
  }
  const sounds = probe.tracks.filter(({ kind, isDecodable }) => kind === 'sound' && isDecodable)
  for (const sound of sounds.length > 1 ? sounds.slice(0, MOST_HEARD) : []) {
    const lufs = await loudnessOf(ffmpeg, where, sound, probe.source.durationMs)
    learned.set(
      sound.streamIndex,
      lufs === null ? { isDecodable: false } : { isSilent: lufs <= SILENT_LUFS },
    )
  }
  return learned.size === 0 ? probe : probe.whenLearned(learned)
}

/** In LUFS, by some places or, where those are silent, by all of it; null = no decoder reads it. */
async function loudnessOf(
  ffmpeg: Ffmpeg,
  where: Checked,
  { number }: FileTrack,
  durationMs: number,
): Promise<number | null> {
  const listen = async (run: PlanRun, seconds: number): Promise<number | null> => {
    let printed = ''
    await glance(ffmpeg, {
      ...run,
      pathOf: () => where.path,
      cwd: where.scratchDir,
      signal: where.signal,
      cpuSeconds: Math.ceil(GLANCE_CPU_S + seconds / SOUND_S_PER_CPU_S),
      timeoutMs: GLANCE_WALL_MS + seconds * 1000,
      onOutput: (text) => {
        printed = (printed + text).slice(-LAST_CHARS)
      },
    })
    // What was printed before a failure says as much of the sound.
    return loudnessIn(printed)
  }
  const isLong = durationMs > 2 * WINDOWS * WINDOW_MS
  const some = isLong ? await listen(windowsRun(number, durationMs), WINDOWS) : null
  return some !== null && some > SILENT_LUFS
    ? some
    : await listen(listenRun([{}], number), durationMs / 1000)
}

function windowsRun(number: number, durationMs: number): PlanRun {
  const gapMs = (durationMs - WINDOW_MS) / (WINDOWS - 1)
  const windows = Array.from({ length: WINDOWS }, (_, index) => ({
    seekMs: Math.round(index * gapMs),
    durationMs: WINDOW_MS,
  }))
  return listenRun(windows, number)
}

function listenRun(
  windows: readonly { readonly seekMs?: number; readonly durationMs?: number }[],
  number: number,
): PlanRun {
  const each = windows.map(
    (_, index) => `[${index}:a:0]aresample=48000,aformat=channel_layouts=stereo[s${index}]`,
  )
  const joined = `${windows.map((_, index) => `[s${index}]`).join('')}concat=n=${windows.length}:v=0:a=1,${LOUDNESS_METER}[a]`
  return {
    inputs: windows.map((window) => ({
      from: { kind: 'source' },
      ...window,
      flags: ['-vn', '-sn', '-dn'],
      tracks: { picture: 0, sound: number },
    })),
    args: ['-filter_complex', [...each, joined].join(';'), '-map', '[a]', '-f', 'null', '-'],
  }
}
