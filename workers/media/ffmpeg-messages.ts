import type { DeepCheck, DeepCheckNews } from './deep-check.ts'
import type { PlanRun, TakenTracks } from '#recipes/types.ts'

/**
 * What the media worker and the ffmpeg worker say to each other, through a port that is the only
 * message to the latter. One worker does one job and is ended.
 */
export interface FfmpegJob {
  readonly coreUrl: string
  readonly wasm: WebAssembly.Module
  readonly file: File
  /** Ending for the demuxer's benefit; letters and digits only. */
  readonly extension: string
  readonly task:
    | { readonly kind: 'probe' }
    /** Pictures at these times, `width` wide, as raw RGBA. */
    | {
        readonly kind: 'pictures'
        readonly atSeconds: readonly number[]
        readonly width: number
        readonly tracks: TakenTracks
      }
    | { readonly kind: 'deep-check'; readonly check: DeepCheck }
    /** One step after another, in `WORK_FOLDER`; the first that fails ends the job. */
    | {
        readonly kind: 'render'
        readonly files: readonly ScratchFile[]
        readonly steps: readonly RenderStep[]
        readonly outputs: readonly string[]
      }
}

/** A run of ffmpeg, or of the code that masks voices: from one file in `WORK_FOLDER` to another. */
export type RenderStep =
  | { readonly tool: 'ffmpeg'; readonly args: readonly string[] }
  /**
   * A run whose words depend on what was measured before it. `measures`: it is a `loudness-meter`,
   * whose gain has this name in the runs after it; null = it makes a file.
   */
  | { readonly tool: 'levelled'; readonly run: PlanRun; readonly measures: string | null }
  | {
      readonly tool: 'voice-filter'
      readonly from: string
      readonly to: string
      readonly secret: string
    }

/** A file to put into `WORK_FOLDER` before the first run. */
export interface ScratchFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The source is mounted here under the name `sourceName` gives it. Never the user's name: `%`, `-`
 * and `:` mean something to ffmpeg.
 */
export const INPUT_FOLDER = '/in'
/** In memory; gone with the worker. */
export const WORK_FOLDER = '/work'

/** The source's name in `INPUT_FOLDER`. */
export function sourceName(extension: string): string {
  return `in.${extension}`
}

export type FfmpegNews =
  /** The engine is ready; the job's own time begins. */
  | { readonly kind: 'started' }
  | DeepCheckNews
  | { readonly kind: 'probed'; readonly json: string }
  | {
      readonly kind: 'picture'
      readonly index: number
      readonly rgba: Uint8Array<ArrayBuffer> | null
    }
  /** How much of its output step `step` (from 0) has made; not every step says so. */
  | { readonly kind: 'progress'; readonly step: number; readonly outputMs: number }
  | { readonly kind: 'output'; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done' }
  /**
   * `name` is the class of the error: RuntimeError (crash), RangeError (memory), NotReadableError
   * (file changed), StepError (ffmpeg gave up)…
   */
  | { readonly kind: 'failed'; readonly name: string }
