import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { placeOfPart } from '#server/object-store/part-place.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { readPiece, readWhole, type Source } from './source.ts'

/** What is copied, and from where. */
export interface Copying {
  readonly upload: UploadRow
  readonly source: Source
  /** Changes when the file does and its parts are dropped. */
  readonly version: string
  /** Called with what is here already of a part that goes on. */
  onHeld(bytes: number): void
  /** Called when a part is stored, with what of it was counted as it came. */
  onStored(bytes: number): void
}

/** Connections at once: one brings bytes while a part of the other one is synced to the disk. */
const AT_ONCE = 2
/** Parts that one connection may bring: to open one takes several ways to the host and back. */
const MOST_OF_RUN = 8

/** Fetches the rest of each part that the store lacks. Throws what `readPiece` throws. */
export async function copyMissingParts(ctx: Pick<Ctx, 'store'>, copying: Copying): Promise<void> {
  const { upload, version } = copying
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
    for (let run = takeRun(missing); run.length > 0; run = takeRun(missing)) {
      const connection = createConnection(source, endOf(plan, run.at(-1) ?? 1))
      try {
        for (const partNumber of run)
          await writePart(ctx, copying, partNumber, {
            version,
            from: (at, bytes) => connection.read(at, bytes),
          })
      } finally {
        await connection.end()
      }
    }
  }
  const copies = Array.from({ length: AT_ONCE }, async () => {
    await copyNext().catch((error: unknown) => {
      if (!other.signal.aborted) other.abort(error)
      throw error
    })
  })
  await Promise.allSettled(copies)
  copying.source.signal.throwIfAborted()
  other.signal.throwIfAborted()
}

/** Takes missing parts that follow each other; fewer at the end, so that no connection idles. */
function takeRun(missing: number[]): number[] {
  const most = Math.min(MOST_OF_RUN, Math.ceil(missing.length / AT_ONCE))
  const [first = 0] = missing
  const gap = missing.findIndex((partNumber, index) => partNumber !== first + index)
  return missing.splice(0, gap === -1 ? most : Math.min(most, gap))
}

/** Reads stretches up to `end` (included), one after the other, in as few connections as can be. */
function createConnection(source: Source, end: number) {
  let open: { at: number; readonly cutter: Cutter } | null = null
  return {
    async *read(start: number, bytes: number): AsyncGenerator<Buffer, void, undefined> {
      if (open?.at !== start) {
        await open?.cutter.end()
        open = { at: start, cutter: createCutter(readPiece(source, { start, end })) }
      }
      open.at = start + bytes
      yield* open.cutter.take(bytes)
    },
    end: async (): Promise<void> => await open?.cutter.end(),
  }
}

/** Fetches the whole file in one go and cuts it into its parts. Throws what `readWhole` throws. */
export async function copyWhole(ctx: Pick<Ctx, 'store'>, copying: Copying): Promise<void> {
  const plan = planOf(copying.upload)
  const file = createCutter(readWhole(copying.source))
  try {
    for (let partNumber = 1; partNumber <= plan.partCount; partNumber += 1)
      await writePart(ctx, copying, partNumber, {
        // Each time it comes from its first byte.
        version: null,
        from: (_at, bytes) => file.take(bytes),
      })
  } finally {
    await file.end()
  }
}

/** Where the bytes of a part come from. */
interface Supply {
  readonly version: string | null
  /** So many bytes from this place of the file. */
  from(at: number, bytes: number): AsyncIterable<Buffer>
}

async function writePart(
  ctx: Pick<Ctx, 'store'>,
  { upload, onHeld, onStored }: Copying,
  partNumber: number,
  { version, from }: Supply,
): Promise<void> {
  const plan = planOf(upload)
  const { offset: start, sizeBytes: bytes } = placeOfPart(plan, partNumber)
  let counted = 0
  await ctx.store.writePart(plan, upload.storeUploadId, partNumber, {
    version,
    from(offset) {
      if (offset > 0) onHeld(offset)
      counted = bytes
      return from(start + offset, bytes - offset)
    },
  })
  onStored(counted)
}

/** The last byte of a part. */
function endOf(plan: MultipartPlan, partNumber: number): number {
  const { offset, sizeBytes } = placeOfPart(plan, partNumber)
  return offset + sizeBytes - 1
}

type Cutter = ReturnType<typeof createCutter>

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
