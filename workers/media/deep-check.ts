import type { FfmpegCore } from './core.ts'
import { letEnd } from './let-end.ts'

/**
 * What of a file shall be measured by ffmpeg; empty lists leave a part out. Times are seconds from
 * the beginning.
 */
export interface DeepCheck {
  readonly packetsAt: readonly number[]
  readonly soundAt: readonly number[]
  readonly decodeAt: readonly number[]
  /** Pictures decoded at each of `decodeAt`. */
  readonly frames: number
}

export type DeepCheckNews =
  /**
   * ffprobe's packets of the first picture track, `PACKETS_A_PLACE` from each place on: time and
   * flags, a line each.
   */
  | { readonly kind: 'packets'; readonly csv: string }
  /** 32-bit floats, all channels one after another. */
  | {
      readonly kind: 'sound'
      readonly atSeconds: number
      readonly samples: Float32Array<ArrayBuffer>
    }
  /** `decoded`: how many pictures came out; `lines`: what was complained of meanwhile. */
  | {
      readonly kind: 'decoded'
      readonly atSeconds: number
      readonly decoded: number
      readonly lines: readonly string[]
    }

export const PACKETS_A_PLACE = 48
export const SOUND_WINDOW_S = 0.5
const OUT = '/look.out'
/** Decoded pictures are made this small: only their number counts. */
const SPECK_PX = 16
/** A broken file complains of every block. */
const MAX_LINES = 40

/**
 * Measures in the order packets, sound, decoding, so that the cheap answers are there when the dear
 * ones take too long. At most 16 runs: each loses stack.
 */
export async function deepCheck(
  core: FfmpegCore,
  input: string,
  { packetsAt, soundAt, decodeAt, frames }: DeepCheck,
  say: (news: DeepCheckNews) => void,
): Promise<void> {
  if (packetsAt.length > 0) {
    const intervals = packetsAt
      .map((seconds) => `${seconds.toFixed(3)}%+#${PACKETS_A_PLACE}`)
      .join(',')
    core.ffprobe(
      '-v',
      'error',
      '-select_streams',
      'V:0',
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
    say({ kind: 'packets', csv: new TextDecoder().decode(take(core) ?? new Uint8Array()) })
  }
  for (const seconds of soundAt) {
    await letEnd()
    core.exec(
      '-v',
      'error',
      '-ss',
      String(seconds),
      '-t',
      String(SOUND_WINDOW_S),
      '-i',
      input,
      '-vn',
      '-sn',
      '-dn',
      '-map',
      '0:a:0',
      '-c:a',
      'pcm_f32le',
      '-f',
      'f32le',
      OUT,
    )
    const bytes = take(core)
    if (bytes !== null)
      say({
        kind: 'sound',
        atSeconds: seconds,
        samples: new Float32Array(
          bytes.buffer,
          0,
          Math.floor(bytes.byteLength / Float32Array.BYTES_PER_ELEMENT),
        ),
      })
  }
  for (const seconds of decodeAt) {
    await letEnd()
    const lines: string[] = []
    core.setLogger(({ message }) => {
      if (lines.length < MAX_LINES) lines.push(message)
    })
    core.exec(
      '-v',
      'error',
      '-ss',
      String(seconds),
      '-i',
      input,
      '-an',
      '-sn',
      '-dn',
      '-map',
      '0:V:0',
      '-frames:v',
      String(frames),
      '-vf',
      `scale=${SPECK_PX}:${SPECK_PX}:flags=neighbor`,
      '-pix_fmt',
      'gray',
      '-f',
      'rawvideo',
      OUT,
    )
    say({
      kind: 'decoded',
      atSeconds: seconds,
      decoded: (take(core)?.byteLength ?? 0) / SPECK_PX ** 2,
      lines,
    })
  }
}

function take(core: FfmpegCore): Uint8Array<ArrayBuffer> | null {
  if (!core.FS.analyzePath(OUT).exists) return null
  const bytes = Uint8Array.from(core.FS.readFile(OUT))
  core.FS.unlink(OUT)
  return bytes.byteLength === 0 ? null : bytes
}
