import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Key } from '#server/db/secrets.ts'

/** Where the part route is mounted. */
export const PART_URL_PREFIX = '/editors/api/v1/parts'

/** What a part URL allows: one `PUT` of exactly these bytes of one upload. */
export interface PartGrant {
  readonly uploadId: string
  readonly partNumber: number
  /** Where the part begins in the file. */
  readonly offset: number
  readonly sizeBytes: number
  readonly expiresAtEpochS: number
}

/**
 * A part URL relative to the server's origin. Anyone who holds it may store the part, so it is
 * never logged or kept.
 */
export function signPartUrl(key: Pick<Key, 'signing'>, grant: PartGrant): string {
  const query = new URLSearchParams({
    e: String(grant.expiresAtEpochS),
    l: String(grant.sizeBytes),
    o: String(grant.offset),
    s: signature(key.signing, grant),
  })
  return `${pathOf(grant)}?${query}`
}

/** What an address is worth: `expired` once granted something, `forged` was never signed here. */
export type ReadPartUrl = PartGrant | 'expired' | 'forged'

/** What the URL grants now. */
export function readPartUrl(
  key: Pick<Key, 'accepted'>,
  pathAndQuery: string,
  nowMs: number,
): ReadPartUrl {
  const [path = '', search = ''] = pathAndQuery.split('?', 2)
  const match = /^\/editors\/api\/v1\/parts\/([0-9a-f-]{36})\/([1-9]\d{0,4})$/.exec(path)
  if (match === null) return 'forged'
  const query = new URLSearchParams(search)
  const numbers = ['e', 'l', 'o'].map((name) => wholeNumber(query.get(name)))
  const [expiresAtEpochS, sizeBytes, offset] = numbers
  if (expiresAtEpochS == null || sizeBytes == null || offset == null) return 'forged'
  const grant = {
    uploadId: match[1] ?? '',
    partNumber: Number(match[2]),
    offset,
    sizeBytes,
    expiresAtEpochS,
  }
  const given = Buffer.from(query.get('s') ?? '')
  const isOurs = key.accepted.some((each) => {
    const expected = Buffer.from(signature(each, grant))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isOurs) return 'forged'
  return nowMs <= expiresAtEpochS * 1000 ? grant : 'expired'
}

function pathOf(grant: PartGrant): string {
  return `${PART_URL_PREFIX}/${grant.uploadId}/${grant.partNumber}`
}

function signature(key: Uint8Array, grant: PartGrant): string {
  return createHmac('sha256', key)
    .update(['PUT', pathOf(grant), grant.expiresAtEpochS, grant.sizeBytes, grant.offset].join('\n'))
    .digest('base64url')
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
