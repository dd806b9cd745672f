import { createHash } from 'node:crypto'

/** SHA-256, hex: what the database keeps of a random token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
