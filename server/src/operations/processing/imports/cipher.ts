import type { UploadRow } from '#server/db/rows.ts'
import type { VaultPlace } from '#server/db/vault.ts'

/** Where the place of an import's file is kept. */
export function cipherOf({ id, userId }: Pick<UploadRow, 'id' | 'userId'>): VaultPlace {
  return { column: 'upload_imports.link_cipher', rowId: id, userId }
}
