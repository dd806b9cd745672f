import { Readable } from 'node:stream'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { planOf } from '#server/operations/uploads/find.ts'
import { readPiece, readWhole, type Source } from './source.ts'

/** What is copied, and from where. */
export interface Copying {
  readonly upload: UploadRow
  readonly source: Source
  /** Called when a part is stored, with its size. */
  onStored(bytes: number): void
}

/** Parts at once: the next one is on its way while one is synced to the disk. */
const AT_ONCE = 2

/** Fetches the parts that the store lacks, each as a piece. Throws what `readPiece` throws. */
export async function copyMissingParts(ctx: Pick<Ctx, 'store'>, copying: Copying): Promise<void> {
  const { upload } = copying
  const plan = planOf(upload)
  const stored = new Set(
    (await ctx.store.listParts(plan, upload.storeUploadId)).map((part) => part.partNumber),
  )
  const missing = Array.from({ length: plan.partCount }, (_, index) => index + 1).filter(
    (partNumber) => !stored.has(partNumber),
  )
  // What one of them runs into ends the other one too.
  const other = new AbortController()
  const signal = AbortSignal.any([copying.source.signal, other.signal])
  const source = { ...copying.source, signal }
  const copyNext = async (): Promise<void> => {
    for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
      const { start, bytes } = placeOf(plan, next)
      const chunks = readPiece(source, { start, end: start + bytes - 1 })
      await writePart(ctx, { ...copying, source }, next, chunks)
    }
  }
  const runs = Array.from({ length: AT_ONCE }, async () => {
    await copyNext().catch((error: unknown) => {
      if (!other.signal.aborted) other.abort(error)
      throw error
    })
  })
  await Promise.allSettled(runs)
  copying.source.signal.throwIfAborted()
  other.signal.throwIfAborted()
}

/** Fetches the whole file in one go and cuts it into its parts. Throws what `readWhole` throws. */
export async function copyWhole(ctx: Pick<Ctx, 'store'>, copying: Copying): Promise<void> {
  const plan = planOf(copying.upload)
  const file = createCutter(readWhole(copying.source))
  try {
    for (let partNumber = 1; partNumber <= plan.partCount; partNumber += 1)
      await writePart(ctx, copying, partNumber, file.take(placeOf(plan, partNumber).bytes))
  } finally {
    await file.end()
  }
}

/**
 * The store says of every body that ends early that it stalled; what ended it is thrown instead.
 */
async function writePart(
  ctx: Pick<Ctx, 'store'>,
  { upload, onStored, source }: Copying,
  partNumber: number,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const plan = planOf(upload)
  const cause: { error?: unknown } = {}
  const body = Readable.from(remembered(chunks, cause))
  const onAbort = (): void => void body.destroy()
  source.signal.addEventListener('abort', onAbort)
  try {
    await ctx.store.writePart(plan, upload.storeUploadId, partNumber, body)
    onStored(placeOf(plan, partNumber).bytes)
  } catch (error) {
    source.signal.throwIfAborted()
    throw cause.error ?? error
  } finally {
    source.signal.removeEventListener('abort', onAbort)
    body.destroy()
  }
}

async function* remembered(
  chunks: AsyncIterable<Buffer>,
  cause: { error?: unknown },
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* chunks
  } catch (error) {
    cause.error = error
    throw error
  }
}

function placeOf(plan: MultipartPlan, partNumber: number): { start: number; bytes: number } {
  const start = (partNumber - 1) * plan.partSizeBytes
  return { start, bytes: Math.min(plan.partSizeBytes, plan.sizeBytes - start) }
}

/** Cuts one stream of bytes into stretches of given lengths, taken one after the other. */
function createCutter(chunks: AsyncGenerator<Buffer, void, undefined>) {
  let rest: Buffer = Buffer.alloc(0)
  return {
    async *take(bytes: number): AsyncGenerator<Buffer, void, undefined> {
      for (let left = bytes; left > 0;) {
        if (rest.length === 0) {
          const next = await chunks.next()
          if (next.done === true) return
          rest = next.value
        }
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
    end: async (): Promise<void> => void (await chunks.return()),
  }
}
