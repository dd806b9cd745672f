import * as v from 'valibot'
import { Problem } from '#server/problems.ts'

/** One page of a list; `nextCursor` is null on the last page. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly nextCursor: string | null
}

/**
 * A time in a cursor: milliseconds since the epoch, within what PostgreSQL and this product can
 * mean.
 */
export const cursorTime = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.maxValue(Date.UTC(2200, 0)),
)
/** A text in a cursor; PostgreSQL takes no NUL. */
export const cursorText = v.pipe(v.string(), v.maxLength(400), v.excludes('\0'))

/**
 * Packs the position after which a list continues. Clients treat it as opaque. It only selects from
 * the user's own list, so it is not signed.
 */
export function writeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Reads a cursor back; refuses a damaged one with `request/invalid` on the field `cursor`. */
export function readCursor<S extends v.GenericSchema>(schema: S, cursor: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success)
    throw new Problem(
      'request/invalid',
      'This page of the list cannot be found. Please load the list again.',
      { fields: { cursor: 'is not a cursor of this list' } },
    )
  return parsed.output
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
