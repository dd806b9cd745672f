import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Key } from './secrets.ts'

/** Where a secret is kept: a cipher that is moved to another place cannot be opened there. */
export interface VaultPlace {
  /** The column, as `table.column`. */
  readonly column: string
  readonly rowId: string
  readonly userId: string
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a secret for its column and row. The key is in the file of keys and not in the database,
 * so that a dump of it opens no file and no account of anyone.
 */
export function seal(key: Pick<Key, 'signing'>, secret: string, place: VaultPlace): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key.signing, iv).setAAD(boundTo(place))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** The secret again, or null where no key opens it: the keys were replaced and forgotten. */
export function unseal(
  key: Pick<Key, 'accepted'>,
  cipherText: string,
  place: VaultPlace,
): string | null {
  const bytes = Buffer.from(cipherText, 'base64')
  for (const accepted of key.accepted) {
    const decipher = createDecipheriv(ALGORITHM, accepted, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(boundTo(place))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    try {
      const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    } catch {
      // Of another key.
    }
  }
  return null
}

function boundTo({ column, rowId, userId }: VaultPlace): Buffer {
  return Buffer.from(`${column} ${rowId} ${userId}`)
}
