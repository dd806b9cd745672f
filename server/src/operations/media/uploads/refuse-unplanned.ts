import type { UploadRow } from '#server/db/rows.ts'
import { Problem } from '#server/problems.ts'

/** What names parts of an upload, and the field of the request where it does. */
interface NamedParts {
  readonly partNumbers: readonly number[]
  readonly field: string
}

/** Refuses numbers of parts that the upload does not have, with `request/invalid`. */
export function refuseUnplanned(
  upload: Pick<UploadRow, 'partCount'>,
  { partNumbers, field }: NamedParts,
): void {
  const unplanned = partNumbers.find((partNumber) => partNumber > upload.partCount)
  if (unplanned === undefined) return
  throw new Problem(
    'request/invalid',
    `This upload has ${upload.partCount === 1 ? 'one part' : `${upload.partCount} parts`}.`,
    { fields: { [field]: `There is no part ${unplanned}.` } },
  )
}
