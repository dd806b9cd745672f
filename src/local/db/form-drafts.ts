import * as v from 'valibot'
import type { AccountDb } from './account-db.ts'
import type { DraftRow } from './rows.ts'

/** Key of the name that is being typed for an asset. */
export function assetNameKey(uploadId: string): string {
  return `asset-name:${uploadId}`
}

/** Key of the options that are left at an address to upload an asset. */
export function optionsDraftKey(formPath: string): string {
  return `options:${formPath}`
}

const optionsDraft = v.object({
  slug: v.string(),
  /** What the form held; only its form reads it. */
  fields: v.unknown(),
  end: v.picklist(['intro', 'outro']),
  /** The upload that the asset is made of; null until its file was chosen and named. */
  uploadId: v.nullable(v.string()),
  /** Null until the server has made the asset. */
  mediaAssetId: v.nullable(v.string()),
})

/** An option form that was left to upload an asset for one of its ends. */
export type OptionsDraft = v.InferOutput<typeof optionsDraft>

/** The options left at an address; null when there are none that this version can read. */
export async function readOptionsDraft(
  db: AccountDb,
  formPath: string,
): Promise<OptionsDraft | null> {
  const read = v.safeParse(optionsDraft, (await db.drafts.get(optionsDraftKey(formPath)))?.value)
  return read.success ? read.output : null
}

/** A draft of options that knows its asset better now; any other draft stays as it is. */
export function awaitingAsset(
  row: DraftRow,
  known: Partial<Pick<OptionsDraft, 'uploadId' | 'mediaAssetId'>>,
): DraftRow {
  const read = v.safeParse(optionsDraft, row.value)
  return read.success ? { ...row, value: { ...read.output, ...known } } : row
}
