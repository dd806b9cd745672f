import { err, type Result } from '#recipes/result.ts'

/**
 * Why a file has no index that an excerpt can be cut by:
 * - `not-a-movie`: no MP4, MOV, Matroska or WebM, or none with a picture
 * - `no-cues`: Matroska or WebM that does not say where its pictures are
 * - `other-tracks`: one in which subtitles, or others, lie among pictures and sounds
 * - `unusual`: several sample descriptions, edits that do more than move the beginning, encryption,
 *   media in other files, or tables and fragments that are absurd or contradict each other
 * - `unreadable`: its bytes could not be read
 */
export interface NoIndex {
  readonly code:
    | 'excerpt/not-a-movie'
    | 'excerpt/no-cues'
    | 'excerpt/other-tracks'
    | 'excerpt/unusual'
    | 'excerpt/unreadable'
}

export function refused(code: NoIndex['code']): Result<never, NoIndex> {
  return err({ code })
}

/** A file of which any bytes can be read. */
export interface MovieBytes {
  readonly sizeBytes: number
  /** Reads all over it take as long as all of it, so that one in fragments has no index. */
  readonly isFar?: boolean
  /** All bytes of [start, end); an error where they cannot be read. */
  read(start: number, end: number): Promise<Result<ArrayBuffer, unknown>>
}
