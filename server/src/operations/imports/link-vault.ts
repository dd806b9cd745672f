import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Key } from '#server/db/secrets.ts'

/** Whose link it is: a cipher that is moved to another row cannot be opened there. */
interface LinkOwner {
  readonly uploadRequestId: string
  readonly userId: string
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a link for its row. The key is in the file of keys and not in the database, so that a
 * dump of it opens no file of anybody.
 */
export function sealLink(key: Pick<Key, 'signing'>, link: string, owner: LinkOwner): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key.signing, iv).setAAD(placeOf(owner))
  const sealed = Buffer.concat([cipher.update(link, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** The link again, or null where no key opens it: the keys were replaced and forgotten. */
export function openLink(
  key: Pick<Key, 'accepted'>,
  cipherText: string,
  owner: LinkOwner,
): string | null {
  const bytes = Buffer.from(cipherText, 'base64')
  for (const accepted of key.accepted) {
    const decipher = createDecipheriv(ALGORITHM, accepted, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(placeOf(owner))
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

function placeOf({ uploadRequestId, userId }: LinkOwner): Buffer {
  return Buffer.from(`upload_imports.link_cipher ${uploadRequestId} ${userId}`)
}
