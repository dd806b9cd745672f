import { describeBug } from '#src/lib/describe-bug.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { composedRow, cutFile, type CutFile } from '#src/local/uploads/file/cut-file.ts'
import { fileFacts, fileOf, fileSource } from '#src/local/uploads/file/file-source.ts'
import { movieIndexOf } from '#src/local/uploads/file/movie-index.ts'
import { filePlaces, type TrimPlaces } from '#src/local/uploads/file/trim.ts'
import type { Trim } from '#src/local/uploads/file/trim-places.ts'
import {
  checkFile,
  isShortVideo,
  type CheckedFile,
  type ChooseDeps,
  type ChooseRefusal,
  type ChosenVideo,
} from './choose.ts'

export type { TrimPlaces } from '#src/local/uploads/file/trim.ts'
export type { Trim } from '#src/local/uploads/file/trim-places.ts'

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
 * Reads where a chosen video can be cut: its index only, in about 0.1 s for two hours, or some
 * seconds where it is in fragments.
 * @param file the whole, as it was chosen
 */
export async function readTrimPlaces(file: File): Promise<Result<TrimPlaces, CannotBeCut>> {
  const index = await movieIndexOf(fileSource(file))
  const places = index.ok ? filePlaces(index.value) : null
  return places === null ? CANNOT_BE_CUT : ok(places)
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
  const made = trim === null ? null : await cutFile(deps.digest, fileSource(whole), trim)
  if (trim !== null && made === null) return CANNOT_BE_CUT
  const cut = made?.isWhole === true ? null : made
  const file = cut === null ? whole : fileOf(cut.source)
  const checked = await checkFile(deps, file, row.purpose)
  if (!checked.ok) return checked
  const saved = await save(deps, uploadId, file, checked.value, cut)
  return saved.ok
    ? ok({
        uploadId,
        file,
        trim: cut?.trim ?? null,
        report: checked.value.report,
        notices: row.purpose === 'media-job' ? checked.value.findings : [],
        // Of a trim it is wanted.
        isShortVideo: cut === null && isShortVideo(file.size),
      })
    : saved
}

/** The row and the head in one transaction, as long as the upload is a draft. */
async function save(
  { db, clock, log }: SetTrimDeps,
  uploadId: string,
  file: File,
  { fingerprint, report }: CheckedFile,
  cut: CutFile | null,
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
        ...(cut === null ? {} : { trim: cut.trim }),
        updatedAtEpochMs: clock.now(),
      })
      if (cut === null) await db.excerpts.delete(uploadId)
      else await db.excerpts.put(composedRow(uploadId, cut.composed))
      return ok(undefined)
    })
  } catch (thrown) {
    log.warn('a trim could not be saved', describeBug(thrown))
    return err({ code: 'choose/not-saved' })
  }
}
