/**
 * The passkey of the app lock ([Note: app lock] in `local/db/app-lock.ts`). No person logs in
 * by it, and the server does not know it: of its answers only what the PRF extension makes of a
 * salt is used.
 * Page only: a dialog of the system asks the person.
 */
import { passkeySupport } from './authenticator.ts'
import type { PasskeyAnswer } from '#src/local/compose-lock.ts'
import type { AppLock } from '#src/local/db/app-lock.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

/** For a person; a browser waits as long where the passkey is gone. */
const ANSWERS_WITHIN_MS = MINUTE_MS

/** Whether this browser can lock the app, and what it lacks. */
export type LockSupport = 'here' | 'needs-name' | 'no-passkeys' | 'no-prf' | 'no-files'

/** Why the passkey gave no answer. */
export interface LockFailure {
  readonly code:
    /** By the person, or because no person answered. */
    | 'device/stopped'
    /** Its passkeys hold no key that an app could use. */
    | 'device/no-prf'
    | 'device/failed'
    /** The answer is not that of the passkey that put the lock on. */
    | 'lock/other-answer'
    /** An upload is not finished. */
    | 'lock/open-uploads'
    /** What an earlier page began was not finished: the device refused to write. */
    | 'lock/unfinished'
}

/** Asked once a screen. What a browser does not say shows itself when the passkey is made. */
export async function lockSupport(): Promise<LockSupport> {
  const passkeys = passkeySupport()
  if (passkeys !== 'here') return passkeys === 'none' ? 'no-passkeys' : passkeys
  if (!('serviceWorker' in navigator) || !('getDirectory' in navigator.storage)) return 'no-files'
  const hasOwn = await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()
  if (!hasOwn) return 'no-passkeys'
  const capabilities =
    'getClientCapabilities' in PublicKeyCredential
      ? await PublicKeyCredential.getClientCapabilities()
      : {}
  return capabilities['extension:prf'] === false ? 'no-prf' : 'here'
}

/** Makes the passkey of the lock, and asks it for what the data key is wrapped by. */
export async function makeLockPasskey(
  name: string,
  salt: Uint8Array<ArrayBuffer>,
): Promise<Result<PasskeyAnswer, LockFailure>> {
  const made = await asking(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: salt,
        rp: { name },
        user: { id: crypto.getRandomValues(new Uint8Array(32)), name, displayName: name },
        pubKeyCredParams: [-7, -257].map((alg) => ({ alg, type: 'public-key' })),
        authenticatorSelection: {
          authenticatorAttachment: 'platform',
          // Not among the passkeys that are offered for logging in.
          residentKey: 'discouraged',
          userVerification: 'required',
        },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  if (!made.ok) return made
  const credentialId = new Uint8Array(made.value.rawId)
  const { prf } = made.value.getClientExtensionResults()
  if (prf?.enabled !== true) return err({ code: 'device/no-prf' })
  const first = bytesOf(prf.results?.first)
  if (first !== null) return ok({ credentialId, salt, answer: first })
  const asked = await askLockPasskey({ credentialId, salt })
  return asked.ok ? ok({ credentialId, salt, answer: asked.value }) : asked
}

/** Asks the passkey of the lock. */
export async function askLockPasskey({
  credentialId,
  salt,
}: Pick<AppLock, 'credentialId' | 'salt'>): Promise<Result<Uint8Array<ArrayBuffer>, LockFailure>> {
  const asked = await asking(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: salt,
        allowCredentials: [{ id: credentialId, type: 'public-key', transports: ['internal'] }],
        userVerification: 'required',
        timeout: ANSWERS_WITHIN_MS,
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  if (!asked.ok) return asked
  const answer = bytesOf(asked.value.getClientExtensionResults().prf?.results?.first)
  return answer === null ? err({ code: 'device/no-prf' }) : ok(answer)
}

async function asking(
  ask: () => Promise<Credential | null>,
): Promise<Result<PublicKeyCredential, LockFailure>> {
  try {
    const credential = await ask()
    return credential instanceof PublicKeyCredential
      ? ok(credential)
      : err({ code: 'device/failed' })
  } catch (thrown) {
    const name = thrown instanceof Error ? thrown.name : ''
    // Browsers do not tell a refusal of the person from silence, or from a passkey that is gone.
    const isStopped = name === 'NotAllowedError' || name === 'AbortError'
    return err({ code: isStopped ? 'device/stopped' : 'device/failed' })
  }
}

function bytesOf(source: BufferSource | undefined): Uint8Array<ArrayBuffer> | null {
  if (source === undefined) return null
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  return new Uint8Array(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}
