import { eq } from 'drizzle-orm'
import { err, type Result } from '#recipes/result.ts'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { checkExcerpt } from '#server/media/check-excerpt.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { untilEnd } from '#server/media/stretch-places.ts'
import type { Refusal } from '#server/media/upload-refusals.ts'
import { mayBeKnown } from '#server/operations/media/known-videos/recognise.ts'
import { readStretches } from './stretches.ts'

/** Where the file of an excerpt lies, and what may be used for its check. */
interface Place {
  readonly ffmpeg: Ffmpeg
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
}

/**
 * Checks an excerpt, and compares it with what is held or was removed after a report. One that is
 * recognised, or shows too little to tell, is refused without a word of it: its edits wait for the
 * whole video, whose own check says what it is.
 */
export async function checkAndCompareExcerpt(
  ctx: Ctx,
  upload: UploadRow,
  { ffmpeg, path, scratchDir, signal }: Place,
): Promise<Result<FileProbe, Refusal>> {
  const stretches = readStretches(upload)
  const sound = await soundOf(ctx, upload)
  const check = { path, fileName: upload.clientFilename, stretches, sound, scratchDir, signal }
  const checked = await checkExcerpt(ffmpeg, check)
  if (!checked.ok) return checked
  const sitter = { ...check, probe: checked.value.source, folder: scratchDir }
  const { allowance } = ffmpeg
  allowance?.grantAll()
  const cutsBefore = allowance?.cuts()
  const shown = untilEnd(stretches, sitter.probe.durationMs)
  const isKnown = await mayBeKnown({ ...ctx, ffmpeg }, sitter, shown)
  // One that is made to be slow shows too little as well.
  return isKnown || allowance?.cuts() !== cutsBefore ? err(NOT_USED) : checked
}

/** Which sound the owner of the video chose. */
async function soundOf(ctx: Ctx, { excerptOf }: UploadRow): Promise<number | null> {
  if (excerptOf === null) return null
  const [whole] = await ctx.db
    .select({ sound: uploadRequests.chosenSound })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, excerptOf))
  return whole?.sound ?? null
}

const NOT_USED: Refusal = {
  code: 'unsupported',
  message: 'No edit can be made of this excerpt. Your edits are made of the whole video.',
  detail: 'it could not be told apart from a video that is held or was removed',
}
