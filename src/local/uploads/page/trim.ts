import { describeBug } from '#src/lib/describe-bug.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { UploadRow, UploadTrim } from '#src/local/db/rows.ts'
import { composedSource, type ComposedFile } from '#src/local/uploads/file/composed-file.ts'
import { fileFacts, fileOf, fileSource } from '#src/local/uploads/file/file-source.ts'
import { readMovieIndex } from '#src/local/uploads/file/movie-index.ts'
import { filePlaces, type FilePlaces } from '#src/local/uploads/file/trim.ts'
import type { Trim } from '#src/local/uploads/file/trim-places.ts'
import {
  checkFile,
  isShortVideo,
  type CheckedFile,
  type ChooseDeps,
  type ChooseRefusal,
  type ChosenVideo,
} from './choose.ts'

export type { Trim } from '#src/local/uploads/file/trim-places.ts'

/** Where a video can be cut. Everything here is computed from its index; nothing is read again. */
export interface TrimPlaces {
  /** Of the presentation of the whole. */
  readonly durationMs: number
  /**
   * When the pictures are shown at which a trim can begin, in order; the first of them is the first
   * picture of the video.
   */
  readonly startsMs: readonly number[]
  /**
   * How many bytes would be sent, to some kilobytes; exact once the trim is set
   * (`UploadRow.file.sizeBytes`). Cheap enough for every move of a handle.
   */
  sizeOf(trim: Trim): number
  /**
   * The nearest trim that can be cut: it begins at one of `startsMs` and ends behind a picture, one
   * at least. The whole where both ends are those of the whole.
   */
  snap(trim: Trim): Trim
}

/** No trim can be offered: the file is no MP4 or MOV of which one can be made, or is unreadable. */
export interface CannotBeCut {
  readonly code: 'trim/cannot-be-cut'
}

/** What a set trim makes of a chosen video; `null` for a trim means the whole again. */
export interface TrimmedVideo extends ChosenVideo {
  /** What is sent, as a file of its own: show its picture, its size and its previews. */
  readonly file: File
  /** As it was snapped; null for the whole. */
  readonly trim: Trim | null
}

/** Why a trim was not set; the row says what holds, which is what held before. */
export type TrimRefusal =
  | CannotBeCut
  /** The upload is no draft any more: what is sent stays as it is. */
  | { readonly code: 'trim/already-sent' }
  /** The same as at a choice: what is left of the video is refused, or cannot be read or saved. */
  | ChooseRefusal

/**
 * Reads where a chosen video can be cut: its index only, in about 0.1 s for two hours.
 * @param file the whole, as it was chosen
 */
export async function readTrimPlaces(file: File): Promise<Result<TrimPlaces, CannotBeCut>> {
  const places = await placesIn(file)
  return places === null ? CANNOT_BE_CUT : ok(places)
}

async function placesIn(file: File): Promise<FilePlaces | null> {
  const index = await readMovieIndex(fileSource(file))
  return index.ok ? filePlaces(index.value) : null
}

const CANNOT_BE_CUT = err<CannotBeCut>({ code: 'trim/cannot-be-cut' })

export type SetTrimDeps = Omit<ChooseDeps, 'own' | 'ids'>

/**
 * Makes a draft one of a stretch of its file, or of the whole again (null, and a trim that is the
 * whole). What is sent is checked as a chosen file is. Reads the file, writes locally, sends
 * nothing. Call in the page.
 * @param whole the file as it was chosen
 */
export async function setTrim(
  deps: SetTrimDeps,
  uploadId: string,
  whole: File,
  trim: Trim | null,
): Promise<Result<TrimmedVideo, TrimRefusal>> {
  const row = await deps.db.uploads.get(uploadId).catch(() => undefined)
  if (row?.state.kind !== 'draft') return err({ code: 'trim/already-sent' })
  if (whole.size !== (row.trim?.wholeSizeBytes ?? row.file.sizeBytes))
    return err({ code: 'choose/unreadable' })
  const planned = trim === null ? ok(null) : await planOf(row, whole, trim)
  if (!planned.ok) return planned
  const file =
    planned.value === null
      ? whole
      : fileOf(composedSource(fileSource(whole), planned.value.composed))
  const checked = await checkFile(deps, file, row.purpose)
  if (!checked.ok) return checked
  const saved = await save(deps, uploadId, file, checked.value, planned.value)
  return saved.ok
    ? ok({
        uploadId,
        file,
        trim: planned.value?.trim ?? null,
        report: checked.value.report,
        notices: row.purpose === 'media-job' ? checked.value.findings : [],
        // Of a trim it is wanted.
        isShortVideo: planned.value === null && isShortVideo(file.size),
      })
    : saved
}

interface Planned {
  readonly trim: UploadTrim
  readonly composed: ComposedFile
}

/** Null for the whole. */
async function planOf(
  { trim: before, fingerprint }: UploadRow,
  whole: File,
  trim: Trim,
): Promise<Result<Planned | null, CannotBeCut>> {
  const places = await placesIn(whole)
  const wholeFingerprint = before?.wholeFingerprint ?? fingerprint
  if (places === null || wholeFingerprint === null) return CANNOT_BE_CUT
  if (places.isWhole(trim)) return ok(null)
  const planned = places.plan(trim)
  if (planned === null) return CANNOT_BE_CUT
  return ok({
    composed: planned.file,
    trim: {
      ...planned.trim,
      wholeDurationMs: places.durationMs,
      wholeSizeBytes: whole.size,
      wholeFingerprint,
    },
  })
}

/** The row and the head in one transaction, as long as the upload is a draft. */
async function save(
  { db, clock, log }: SetTrimDeps,
  uploadId: string,
  file: File,
  { fingerprint, report }: CheckedFile,
  planned: Planned | null,
): Promise<Result<void, TrimRefusal>> {
  try {
    return await db.transaction('rw', db.uploads, db.excerpts, async () => {
      const now = await db.uploads.get(uploadId)
      if (now?.state.kind !== 'draft') return err<TrimRefusal>({ code: 'trim/already-sent' })
      const { trim: _before, ...row } = now
      const known = { file: fileFacts(file), probe: report, fingerprint }
      await db.uploads.put({
        ...row,
        ...known,
        ...(planned === null ? {} : { trim: planned.trim }),
        updatedAtEpochMs: clock.now(),
      })
      if (planned === null) await db.excerpts.delete(uploadId)
      else {
        const { head, ranges, sizeBytes } = planned.composed
        await db.excerpts.put({ uploadId, head: new Uint8Array(head), ranges, sizeBytes })
      }
      return ok(undefined)
    })
  } catch (thrown) {
    log.warn('a trim could not be saved', describeBug(thrown))
    return err({ code: 'choose/not-saved' })
  }
}
