import type { FfmpegCore } from './core.ts'
import { letEnd } from './let-end.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { PlanInput, TakenTracks } from '#recipes/types.ts'

/**
 * What ffmpeg measures of a file for the deep check; an empty list leaves a part out. Times are
 * seconds from the beginning.
 */
export interface DeepCheck {
  readonly packetsAt: readonly number[]
  readonly soundAt: readonly number[]
  readonly decodeAt: readonly number[]
  /** Pictures decoded at each of `decodeAt`. */
  readonly frames: number
  readonly tracks: TakenTracks
}

export type DeepCheckNews =
  /**
   * ffprobe's packets of the picture, `PACKETS_A_PLACE` from each place on: time and
   * flags, a line each.
   */
  | { readonly kind: 'packets'; readonly csv: string }
  /** 32-bit floats, all channels one after another. */
  | {
      readonly kind: 'sound'
      readonly atSeconds: number
      readonly samples: Float32Array<ArrayBuffer>
    }
  /** `decoded`: how many pictures came out; `lines`: what ffmpeg complained of meanwhile. */
  | {
      readonly kind: 'decoded'
      readonly atSeconds: number
      readonly decoded: number
      readonly lines: readonly string[]
    }

type Report = (news: DeepCheckNews) => void

export const PACKETS_A_PLACE = 48
const SOUND_WINDOW_S = 0.5
const OUT = '/check.out'
/** Decoded pictures are made this small: only their number counts. */
const SPECK_PX = 16
/** A broken file causes a complaint for every block. */
const MAX_LINES = 40

/**
 * Measures in the order packets, sound, decoding, so that the cheap answers are there when the
 * expensive ones take too long. At most 16 runs: each loses stack.
 */
export async function deepCheck(
  core: FfmpegCore,
  input: string,
  check: DeepCheck,
  report: Report,
): Promise<void> {
  const { packetsAt, soundAt, decodeAt } = check
  if (packetsAt.length > 0) listPackets(core, input, check, report)
  for (const atSeconds of soundAt) {
    await letEnd()
    listenAt(core, input, { ...check, atSeconds }, report)
  }
  for (const atSeconds of decodeAt) {
    await letEnd()
    decodeFrom(core, input, { ...check, atSeconds }, report)
  }
}

function listPackets(
  core: FfmpegCore,
  input: string,
  { packetsAt, tracks }: DeepCheck,
  report: Report,
): void {
  const intervals = packetsAt
    .map((seconds) => `${seconds.toFixed(3)}%+#${PACKETS_A_PLACE}`)
    .join(',')
  core.ffprobe(
    '-v',
    'error',
    '-select_streams',
    `V:${tracks.picture}`,
    '-show_entries',
    'packet=pts_time,dts_time,flags',
    '-print_format',
    'csv=p=0',
    '-read_intervals',
    intervals,
    input,
    '-o',
    OUT,
  )
  report({ kind: 'packets', csv: new TextDecoder().decode(take(core) ?? new Uint8Array()) })
}

interface Place extends Pick<DeepCheck, 'frames' | 'tracks'> {
  readonly atSeconds: number
}

function listenAt(
  core: FfmpegCore,
  input: string,
  { atSeconds, tracks }: Place,
  report: Report,
): void {
  const args = ['-vn', '-sn', '-dn', '-map', '0:a:0', '-c:a', 'pcm_f32le', '-f', 'f32le', OUT]
  const seekMs = Math.floor(atSeconds * 1_000)
  const window = { seekMs, durationMs: SOUND_WINDOW_S * 1_000, tracks }
  core.exec('-v', 'error', ...printed(input, window, args))
  const bytes = take(core)
  if (bytes === null) return
  const count = Math.floor(bytes.byteLength / Float32Array.BYTES_PER_ELEMENT)
  report({ kind: 'sound', atSeconds, samples: new Float32Array(bytes.buffer, 0, count) })
}

function decodeFrom(
  core: FfmpegCore,
  input: string,
  { atSeconds, frames, tracks }: Place,
  report: Report,
): void {
  const lines: string[] = []
  core.setLogger(({ message }) => {
    if (lines.length < MAX_LINES) lines.push(message)
  })
  const scale = `scale=${SPECK_PX}:${SPECK_PX}:flags=neighbor`
  core.exec(
    '-v',
    'error',
    ...printed(input, { seekMs: Math.floor(atSeconds * 1_000), tracks }, [
      '-an',
      '-sn',
      '-dn',
      '-map',
      '0:V:0',
      '-frames:v',
      String(frames),
      '-vf',
      scale,
      '-pix_fmt',
      'gray',
      '-f',
      'rawvideo',
      OUT,
    ]),
  )
  const decoded = (take(core)?.byteLength ?? 0) / SPECK_PX ** 2
  report({ kind: 'decoded', atSeconds, decoded, lines })
}

function printed(
  input: string,
  part: Pick<PlanInput, 'seekMs' | 'durationMs' | 'tracks'>,
  args: readonly string[],
): string[] {
  return printArgs({ inputs: [{ from: { kind: 'source' }, ...part }], args }, () => input)
}

function take(core: FfmpegCore): Uint8Array<ArrayBuffer> | null {
  if (!core.FS.analyzePath(OUT).exists) return null
  const bytes = Uint8Array.from(core.FS.readFile(OUT))
  core.FS.unlink(OUT)
  return bytes.byteLength === 0 ? null : bytes
}
