/**
 * [Note: app lock] The data key of an account ([Note: seal]) is on the device only wrapped: by a
 * key that comes of what a passkey answers to a salt of this device (the PRF extension of
 * WebAuthn).
 * While the app is unlocked, pages and their upload workers hold the keys in memory, and the
 * service worker asks a page for them; nothing else has them, and nothing keeps them.
 */
import * as v from 'valibot'
import type { DeviceDb } from './device-db.ts'
import { sealKeysOf, type SealKeys } from './seal.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

const bytes = v.pipe(
  v.instance(Uint8Array),
  v.transform((found) => new Uint8Array(found)),
)

const appLock = v.object({
  /** Which passkey it is; it may be used on this device only for this. */
  credentialId: bytes,
  /** What the passkey is asked for. */
  salt: bytes,
  nonce: bytes,
  wrapped: bytes,
  /** How long the app may be out of sight before it locks itself. */
  lockAfterMs: v.number(),
  /**
   * `sealing`: not all of the account is sealed yet. `opening`: the lock is taken off, and not all
   * is open yet. Both are gone on with at the next start.
   */
  state: v.picklist(['sealing', 'sealed', 'opening']),
})
export type AppLock = v.InferOutput<typeof appLock>

const SALT_BYTES = 32
const NONCE_BYTES = 12

const keyOf = (userId: string): string => `app-lock:${userId}`

/** The app lock of an account on this device; null where it is off. Local read. */
export async function readAppLock(db: DeviceDb, userId: string): Promise<AppLock | null> {
  const parsed = v.safeParse(appLock, (await db.facts.get(keyOf(userId)))?.value)
  return parsed.success ? parsed.output : null
}

/** Stores it; null takes it off. */
export async function writeAppLock(
  db: DeviceDb,
  userId: string,
  lock: AppLock | null,
): Promise<void> {
  if (lock === null) await db.facts.delete(keyOf(userId))
  else await db.facts.put({ key: keyOf(userId), value: lock })
}

/** What a passkey is asked for on this device. */
export function newSalt(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SALT_BYTES))
}

/** Wraps the data key of an account by what its passkey answered. */
export async function wrapDataKey(
  userId: string,
  answer: Uint8Array<ArrayBuffer>,
  dataKey: Uint8Array<ArrayBuffer>,
): Promise<Pick<AppLock, 'nonce' | 'wrapped'>> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const key = await wrappingKey(answer)
  const wrapped = await crypto.subtle.encrypt(cipher(userId, nonce), key, dataKey)
  return { nonce, wrapped: new Uint8Array(wrapped) }
}

/** The keys of a locked account. `lock/other-answer`: the answer is not that of its passkey. */
export async function unwrapKeys(
  userId: string,
  answer: Uint8Array<ArrayBuffer>,
  { nonce, wrapped }: Pick<AppLock, 'nonce' | 'wrapped'>,
): Promise<Result<SealKeys, { readonly code: 'lock/other-answer' }>> {
  const key = await wrappingKey(answer)
  const dataKey = await crypto.subtle.decrypt(cipher(userId, nonce), key, wrapped).catch(() => null)
  if (dataKey === null) return err({ code: 'lock/other-answer' })
  return ok(await sealKeysOf(new Uint8Array(dataKey)))
}

async function wrappingKey(answer: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const from = await crypto.subtle.importKey('raw', answer, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('onecut app lock: data key')
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  const aes = { name: 'AES-GCM', length: 256 }
  return crypto.subtle.deriveKey(derivation, from, aes, false, ['encrypt', 'decrypt'])
}

function cipher(userId: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(userId) }
}
