import * as v from 'valibot'
import { Problem } from '#server/problems.ts'

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
 * Packs where a list goes on; opaque to clients. It only narrows their own list, so it is not
 * signed.
 */
export function writeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Reads a cursor back; a spoiled one is 422 on the field `cursor`. */
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
