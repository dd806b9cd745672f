import type { FfmpegJobs } from '#workers/media/ffmpeg-jobs.ts'
import type { DeviceMemory } from './ladder.ts'
import type { MakeFailure, MakeOptions, MakePieces, MakeRequest } from '#src/local/made/make.ts'

/** Which edit is asked for, of which file. */
export interface MakeJob {
  readonly file: File
  readonly request: MakeRequest
  readonly signal: AbortSignal
}

/** An edit that is made, and not only asked about. */
export interface WholeMakeJob extends MakeJob {
  readonly options: Pick<MakeOptions, 'bytesKey' | 'from' | 'isLower'>
  readonly pieces: MakePieces
}

export interface MakeDeps {
  readonly jobs: FfmpegJobs
  readonly memory: DeviceMemory
}

/** What a thrown error says of an edit; what is not of the file is of a codec. */
export function failureOf(thrown: unknown): MakeFailure {
  const name = thrown instanceof Error ? thrown.name : ''
  if (name === 'NotReadableError') return { code: 'probe/changed' }
  return name === 'NotFoundError' ? { code: 'probe/gone' } : { code: 'make/codec-failed' }
}
