import { inArray } from 'drizzle-orm'
import type { ReadCtx } from '#server/context.ts'
import type { ImportRow, UploadRow } from '#server/db/rows.ts'
import { uploadImports } from '#server/db/schema.ts'
import { SILENT_MS } from '#server/operations/core/note-often.ts'
import { isImport } from './provider.ts'

/** How the server fetches a file. */
export interface ImportFacts {
  readonly host: string
  /** Bytes of parts that are not stored yet. */
  readonly partialBytes: number
  /**
   * `turn`: another import of the account, or of the server, runs first. `link`: a person must say
   * again where the file is. `sign-in`: they must connect their drive again. Null while it runs.
   */
  readonly waitsFor: 'turn' | 'host' | 'space' | 'link' | 'sign-in' | null
  /** Until it is tried again; null unless it waits for the host or for space. */
  readonly nextInS: number | null
}

/** How these uploads are fetched, by id; those that are not are left out. */
export async function readImports(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  { uploads }: { readonly uploads: readonly UploadRow[] },
): Promise<ReadonlyMap<string, ImportFacts>> {
  const ids = uploads.flatMap((upload) =>
    isImport(upload) && upload.state === 'open' ? [upload.id] : [],
  )
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .select()
    .from(uploadImports)
    .where(inArray(uploadImports.uploadRequestId, ids))
  const nowMs = ctx.clock().getTime()
  return new Map(rows.map((row) => [row.uploadRequestId, toFacts(row, nowMs)]))
}

const WAITS = {
  away: 'host',
  refused: 'host',
  'no-space': 'space',
  gone: 'link',
  'sign-in': 'sign-in',
} as const satisfies Record<NonNullable<ImportRow['problem']>, ImportFacts['waitsFor']>

function toFacts(row: ImportRow, nowMs: number): ImportFacts {
  const { host, problem, nextAt, seenAt } = row
  const isRunning = seenAt !== null && nowMs - seenAt.getTime() < SILENT_MS
  const restMs = Math.max(0, nextAt.getTime() - nowMs)
  return {
    host,
    partialBytes: isRunning ? row.partialBytes : 0,
    waitsFor: isRunning ? null : problem === null ? 'turn' : WAITS[problem],
    nextInS: problem === null || needsPerson(row) || isRunning ? null : Math.ceil(restMs / 1000),
  }
}

/** What only a person can end; until then nothing is tried. */
export const NEEDS_PERSON = ['gone', 'sign-in'] as const satisfies readonly ImportRow['problem'][]

/** Whether nothing is tried for an import until its owner does something. */
export function needsPerson({ problem }: Pick<ImportRow, 'problem'>): boolean {
  return NEEDS_PERSON.some((known) => known === problem)
}
