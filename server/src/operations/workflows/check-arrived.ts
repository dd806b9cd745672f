/** The check of what an upload brought: what its file is, or why it is refused. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { err, ok, type Result } from '#recipes/result.ts'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import {
  checkUpload,
  toolsForCheck,
  type CheckedFile,
  type UploadCheck as FileCheck,
} from '#server/media/check-upload.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { ToolFault } from '#server/media/process.ts'
import { outlast } from '#server/object-store/outlast.ts'
import { TOO_SLOW, type Refusal } from '#server/media/upload-refusals.ts'
import { checkAndCompareExcerpt } from '#server/operations/media/excerpts/check.ts'
import { recognise, type Recognised } from '#server/operations/media/known-videos/recognise.ts'
import { thumbnailKeyOf } from '#server/operations/media/storage/keys.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { withProcessorTime } from '#server/operations/media/uploads/processor-time.ts'

/**
 * Why an upload fails: by what is in the file, because the same file was removed, or because it is
 * not what its host says of it.
 */
export type UploadRefusal = Omit<Refusal, 'code'> & {
  readonly code: Refusal['code'] | 'not-accepted' | 'import-failed'
}

/** What a check found, and the held or removed video of which the file is a copy. */
interface ComparedFile extends CheckedFile {
  readonly recognised: Recognised | null
}

/** A file that can be used, and where its picture was stored, if it has one. */
export interface AcceptedFile {
  readonly file: ComparedFile
  readonly thumbnailKey: string | null
}

/** What the check of a file says. */
export type Verdict =
  | { readonly kind: 'refused'; readonly refusal: UploadRefusal }
  | { readonly kind: 'excerpt'; readonly probe: FileProbe }
  | ({ readonly kind: 'whole' } & AcceptedFile)

/** What the check may use, and when it ends. */
interface CheckTools {
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  readonly mayGoOn: (() => boolean) | undefined
}

/**
 * Looks at the file of an upload and stores its picture; changes nothing of its row but the count
 * of killed checks. Rejects when the machine is at fault, and with `GaveWay`.
 */
export async function checkArrived(
  ctx: Ctx,
  upload: UploadRow,
  { ffmpeg, signal, mayGoOn }: CheckTools,
): Promise<Verdict> {
  const scratchDir = join(ctx.settings.scratchDir, `check-${upload.id}-${ctx.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    return await ctx.copies.use(planOf(upload), signal, async (path) => {
      const account = { userId: upload.userId, ffmpeg: await toolsForCheck(ffmpeg, path, mayGoOn) }
      return await withProcessorTime(
        ctx,
        account,
        async (tools) => await checkFile(ctx, upload, { ffmpeg: tools, path, scratchDir, signal }),
      )
    })
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
}

/** The file of an upload, and what may be used for its check. */
interface FileAtHand {
  readonly ffmpeg: Ffmpeg
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
}

async function checkFile(ctx: Ctx, upload: UploadRow, file: FileAtHand): Promise<Verdict> {
  const { purpose, clientFilename: fileName } = upload
  const refused = async (error: unknown) => err(await refuseKilled(ctx, upload, error))
  if (purpose === 'excerpt') {
    const checked = await checkAndCompareExcerpt(ctx, upload, file).catch(refused)
    return checked.ok
      ? { kind: 'excerpt', probe: checked.value }
      : { kind: 'refused', refusal: checked.error }
  }
  const { ffmpeg, ...place } = file
  const checked = await checkAndCompare(ctx, ffmpeg, { ...place, fileName, purpose }).catch(refused)
  return checked.ok
    ? {
        kind: 'whole',
        file: checked.value,
        thumbnailKey: await keepPicture(ctx, upload, checked.value, file.signal),
      }
    : { kind: 'refused', refusal: checked.error }
}

/** Stores the picture of a file and returns where; null when it has none. */
async function keepPicture(
  ctx: Ctx,
  { id }: UploadRow,
  { thumbnailPath }: CheckedFile,
  signal: AbortSignal,
): Promise<string | null> {
  if (thumbnailPath === null) return null
  const thumbnailKey = thumbnailKeyOf(id)
  await outlast(ctx.store, signal, async () => {
    await ctx.store.putFile(thumbnailKey, thumbnailPath, 'image/jpeg')
  })
  return thumbnailKey
}

async function checkAndCompare(
  ctx: Ctx,
  ffmpeg: Ffmpeg,
  check: FileCheck,
): Promise<Result<ComparedFile, Refusal>> {
  const checked = await checkUpload(ffmpeg, check)
  if (!checked.ok) return checked
  const { kind, source: probe } = checked.value.probe
  if (kind !== 'video') return ok({ ...checked.value, recognised: null })
  const { allowance } = ffmpeg
  allowance?.grantAll()
  const cutsBefore = allowance?.cuts()
  const sitter = { ...check, probe, folder: check.scratchDir }
  const recognised = await recognise({ ...ctx, ffmpeg }, sitter)
  // Else a copy of a removed video would pass where its file is made to be slow.
  return recognised === null && allowance?.cuts() !== cutsBefore
    ? err({ code: 'unreadable', message: TOO_SLOW, detail: 'no time was left to compare it' })
    : ok({ ...checked.value, recognised })
}

/**
 * How often the system may kill a check, or be too slow for it. Later the machine may have the
 * memory or the disk; a file that takes more than there is must come to an end, and not kill what
 * else runs here again and again.
 */
const MAX_KILLS = 2
const OUR_FAULT =
  'Something went wrong on our side while we checked this file. Please upload it again, or contact us.'

/**
 * Counts a kill, or a check that the machine was too slow for, and throws it again, for another
 * check; the last one is a refusal.
 */
async function refuseKilled(ctx: Ctx, upload: UploadRow, error: unknown): Promise<Refusal> {
  if (!(error instanceof ToolFault) || error.reason === 'not-started') throw error
  const checkKills = upload.checkKills + 1
  if (checkKills >= MAX_KILLS)
    return { code: 'unreadable', message: OUR_FAULT, detail: error.message }
  await ctx.db.update(uploadRequests).set({ checkKills }).where(eq(uploadRequests.id, upload.id))
  throw error
}
