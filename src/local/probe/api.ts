/**
 * The media worker's interface. Calls answer with a `Result`; an AbortSignal cannot cross, hence
 * ids and `cancel`.
 */
import type {
  MadeFile,
  MakeFailure,
  MakeOptions,
  MakePieces,
  MakeProgress,
  MakeRequest,
  MakeRung,
} from '#src/local/made/make.ts'
import type { FindFailure, FoundMoments } from '#src/local/edits/found-moments.ts'
import type { PreviewFailure, PreviewOutput, PreviewRequest } from '#src/local/previews/preview.ts'
import type { DeepFacts, ProbeFailure, ProbeReport } from './report.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { Result } from '#src/lib/result.ts'

interface ProbeOptions {
  /** Made by the caller; names the work for `cancel`. */
  readonly id: string
}
interface PosterOptions {
  readonly id: string
  /** Pixels; the height follows. */ readonly width: number
}
interface FilmstripOptions extends PosterOptions {
  readonly count: number
}

interface PicturesOptions extends PosterOptions {
  readonly shares: readonly number[]
  readonly exactly?: Exactness
}

/** For pictures that stand for a stretch of a video and not only for what is near. */
export interface Exactness {
  /** Of what the times are shares; else of the pictures alone, which may end before the sound. */
  readonly durationMs: number
  /** A key frame that is earlier by more is decoded on from. */
  readonly nearMs: number
}

/** What the page does for the media worker: starts and ends ffmpeg workers. */
export interface FfmpegStarter {
  /**
   * Starts a worker, which gets its job and reports through `port`. Resolves when the worker
   * is no more, whatever ended it.
   */
  start(id: string, port: MessagePort): Promise<void>
  /** Ends it at once, in the middle of what it does. */
  end(id: string): Promise<void>
}

export interface MediaApi {
  /** Before the first other call. */
  useFfmpeg(starter: FfmpegStarter): Promise<void>
  /**
   * Reads what the file is. Findings are part of the report; a failure means that no report could
   * be made.
   */
  probe(file: File, options: ProbeOptions): Promise<Result<ProbeReport, ProbeFailure>>
  /**
   * The deep check, during the upload: rates, gaps, sound, damage, and `count` pictures
   * spread over the length. Waits for probes. What cannot be found out is null in the facts;
   * `withDeepFacts` makes findings of them.
   */
  deepCheck(
    file: File,
    options: FilmstripOptions,
    onPicture: (index: number, picture: Blob) => void,
  ): Promise<Result<DeepFacts, ProbeFailure>>
  /** A picture near the beginning, upright, as JPEG. */
  poster(file: File, options: PosterOptions): Promise<Result<Blob, ProbeFailure>>
  /** `count` pictures spread over the length, in order; `onPicture` gets each as it is made. */
  filmstrip(
    file: File,
    options: FilmstripOptions,
    onPicture: (index: number, picture: Blob) => void,
  ): Promise<Result<readonly Blob[], ProbeFailure>>
  /**
   * Pictures at the given times, 0 = the first picture and 1 = the end; `onPicture` gets each as it
   * is made. Key frames nearby where that is quicker.
   */
  pictures(
    file: File,
    options: PicturesOptions,
    onPicture: (index: number, picture: Blob) => void,
  ): Promise<Result<readonly Blob[], ProbeFailure>>
  /**
   * Makes what an edit would be, of a few seconds and small, by the recipe's own plan. Waits for
   * probes and filmstrips. `onShare` gets 0 to 1, not for every kind of edit.
   */
  preview(
    file: File,
    request: PreviewRequest,
    options: ProbeOptions,
    onShare: (share: number) => void,
  ): Promise<Result<readonly PreviewOutput[], PreviewFailure>>
  /**
   * What this device can do with an edit. Proves an encoder by a few pictures before it names a
   * rung that needs one; never fails, since the server makes what the device cannot.
   */
  canMake(file: File, request: MakeRequest, options: ProbeOptions): Promise<MakeRung>
  /**
   * Makes an edit in full: its files, from the chosen moments. Waits for everything else. Goes on
   * from its kept pieces ([Note: kept pieces]). What a codec breaks off is tried again, then one
   * rung lower. Reads the passages and the index, never the file as a whole.
   */
  make(
    file: File,
    request: MakeRequest,
    options: MakeOptions,
    onProgress: (progress: MakeProgress) => void,
    pieces: MakePieces,
  ): Promise<Result<readonly MadeFile[], MakeFailure>>
  /**
   * Searches a video for moments, by packets and looks as the server does, but not for people.
   * Waits for everything else between its looks. Of a short video it reads what decoding its
   * pictures takes, of a long one parts. `onShare` gets 0 to 1.
   */
  findMoments(
    file: File,
    source: SourceProbe,
    options: ProbeOptions,
    onShare: (share: number) => void,
  ): Promise<Result<FoundMoments, FindFailure>>
  /**
   * Fetches what previews need, so that the service worker keeps it for offline; nothing is
   * started. Best effort, idempotent.
   */
  keepEngine(): Promise<void>
  /** Ends the work with this id, wherever it is; its call answers `probe/cancelled`. */
  cancel(id: string): Promise<void>
  /** Gives all memory back; the next call loads what it needs again. */
  release(): Promise<void>
}
