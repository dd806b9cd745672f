import type { CloserLook, CloserNews } from './closer-look.ts'

/** What the media worker and the ffmpeg worker say to each other. One worker does one job and is ended. */
export interface FfmpegJob {
  readonly coreUrl: string
  readonly wasm: WebAssembly.Module
  readonly file: File
  /** Ending for the demuxer's benefit; letters and digits only. */
  readonly extension: string
  readonly task:
    | { readonly kind: 'probe' }
    /** Pictures at these times, `width` wide, as raw RGBA. */
    | { readonly kind: 'pictures'; readonly atSeconds: readonly number[]; readonly width: number }
    | { readonly kind: 'look'; readonly look: CloserLook }
}

export type FfmpegNews =
  /** The engine is ready; the job's own time begins. */
  | { readonly kind: 'started' }
  | CloserNews
  | { readonly kind: 'probed'; readonly json: string }
  | { readonly kind: 'picture'; readonly index: number; readonly rgba: Uint8Array<ArrayBuffer> | null }
  | { readonly kind: 'done' }
  /** `name` is the class of the error: RuntimeError (crash), RangeError (memory), NotReadableError (file changed)… */
  | { readonly kind: 'failed'; readonly name: string }
