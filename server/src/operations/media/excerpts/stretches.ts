import * as v from 'valibot'
import type { Stretch } from '#recipes/stretch.ts'
import type { UploadRow } from '#server/db/rows.ts'

const schema = v.array(v.object({ startMs: v.number(), endMs: v.number() }))

/** What an excerpt says that it holds; nothing where its row does not say it. */
export function readStretches({ excerptStretches }: UploadRow): readonly Stretch[] {
  const read = v.safeParse(schema, excerptStretches)
  return read.success ? read.output : []
}
