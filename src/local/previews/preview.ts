/**
 * Previews of edits on the creator's own footage, as the page and the media worker speak of them.
 */
import type { Finding } from '#checks/facts.ts'
import { namedTracks } from '#checks/tracks.ts'
import type { ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'
import type { Moment, PlannedOutput, PreviewWindow, SourceProbe } from '#recipes/types.ts'
import type { Result } from '#src/lib/result.ts'

/** Which edit, with which options, of which part of which video. Plain data. */
export interface PreviewRequest {
  readonly slug: string
  readonly payload: unknown
  readonly source: SourceProbe
  readonly window: PreviewWindow
  /** What the server found in the video; left out = not known here. */
  readonly moments?: readonly Moment[] | undefined
  /** For edits that disguise: of this preview alone, the upload's own never leaves the server. */
  readonly secret: string
}

/** One file of a preview; in memory only. */
export interface PreviewOutput {
  readonly name: string
  readonly kind: PlannedOutput['kind']
  readonly blob: Blob
}

export type PreviewFailure =
  | ProbeFailure
  /** Neither ffmpeg nor this browser decodes the video; the server does. */
  | { readonly code: 'preview/undecodable' }
  /**
   * There is no preview of this edit, or none of this video; `message` is the recipe's own, for the
   * creator.
   */
  | { readonly code: 'preview/none'; readonly message: string | null }
  /** The bytes are not on this device (any more). */
  | { readonly code: 'preview/no-file' }
  /** The browser asks again before it lets the file be read. */
  | { readonly code: 'preview/needs-permission' }

/** A video that previews can be made of. */
export interface PreviewVideo {
  /** Local id of the upload, or of its draft. */
  readonly uploadId: string
  readonly source: SourceProbe
  /** The bytes, wherever this device has them; opened again for each round of previews. */
  open(): Promise<Result<File, PreviewFailure>>
}

/** A video that the server has and has checked. */
export interface ServedUpload {
  readonly uploadRequestId: string
  readonly name: string
  readonly sizeBytes: number
}

/**
 * Why a file was not taken for previews. `differs`: it has another size than the upload;
 * `unreadable`: this device cannot read what it is.
 */
export type FootageRefusal = 'differs' | 'unreadable'

/**
 * What a recipe wants to know of a video, from what was found of it here; null when that is not
 * enough to plan anything.
 * @param arrived what the server found, which hears all of a sound where this device hears seconds
 */
export function sourceProbeOf(
  report: ProbeReport | null,
  fileName: string,
  arrived: readonly Finding[] = [],
): SourceProbe | null {
  if (
    report === null ||
    report.video === null ||
    report.durationMs === null ||
    report.durationMs <= 0
  )
    return null
  const { video, audio, durationMs, pictureStartMs } = report
  const tracks = namedTracks(arrived) ?? report.taken
  return {
    ...(tracks === undefined ? {} : { tracks }),
    durationMs,
    ...(pictureStartMs === undefined ? {} : { pictureStartMs }),
    width: video.displayWidth,
    height: video.displayHeight,
    frameRate: video.frameRate ?? 0,
    videoCodec: video.codec,
    isHdr: video.isHdr === true,
    // That there is one is all that counts here.
    ...(video.immersive?.isKept === true ? { immersiveTrack: 1 } : {}),
    ...(mayHoldFields(report) ? { isInterlaced: true } : {}),
    bitRate: Math.round((report.sizeBytes * 8) / (durationMs / 1_000)),
    hasAudio: audio !== null,
    audioCodec: audio?.codec ?? null,
    audioChannels: audio?.channels ?? 0,
    fileName,
  }
}

/**
 * Whether the preview must look for fields: of formats that only ffmpeg reads, as those of tapes,
 * headers often do not say it, and each picture does.
 */
function mayHoldFields({ engine, deep }: ProbeReport): boolean {
  const isSaid = deep?.isInterlaced ?? null
  return isSaid ?? engine === 'ffmpeg-wasm'
}
