/**
 * The checks of WebAuthn (Level 3, sections 7.1 and 7.2), by the library. The person must have been
 * verified by the device: a passkey is all that a sign-in needs.
 */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { Ctx } from '#server/context.ts'
import type { PasskeyRow } from '#server/db/rows.ts'
import { passkeyRefused } from './refused.ts'

/** The browser's answer to a request to make a passkey; bytes in base64url. */
export interface NewCredential {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
}
/** The browser's answer to a request to sign in; bytes in base64url. */
export interface Assertion {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
}

/** Ed25519, ES256 and RS256: what the devices of today sign with (IANA COSE algorithms). */
export const ALGORITHMS = [-8, -7, -257]

/** The host of this server, which passkeys belong to. */
export function relyingPartyId({ settings }: Pick<Ctx, 'settings'>): string {
  return new URL(settings.publicOrigin).hostname
}

/** What is kept of a new passkey; refuses with `auth/passkey-refused`. */
export async function verifyNew(
  ctx: Pick<Ctx, 'settings' | 'log'>,
  { credential, challenge }: { readonly credential: NewCredential; readonly challenge: string },
): Promise<
  Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'>
> {
  const { id, clientDataJSON, attestationObject, transports } = credential
  const made = await refuseFailed(ctx, async () => {
    refuseAttested(attestationObject)
    return await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: ctx.settings.publicOrigin,
      expectedRPID: relyingPartyId(ctx),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  })
  if (!made.verified) throw passkeyRefused()
  const { credential: kept, credentialBackedUp } = made.registrationInfo
  return {
    credentialId: kept.id,
    publicKey: Buffer.from(kept.publicKey).toString('base64url'),
    counter: kept.counter,
    transports: [...transports],
    isBackedUp: credentialBackedUp,
  }
}

/**
 * What changes on a passkey by a sign-in. Refuses with `auth/passkey-refused`, also when its
 * counter did not go up, as after a copy of the device has signed in.
 */
export async function verifyAssertion(
  ctx: Pick<Ctx, 'settings' | 'log'>,
  {
    passkey,
    assertion,
    challenge,
  }: {
    readonly passkey: PasskeyRow
    readonly assertion: Assertion
    readonly challenge: string
  },
): Promise<Pick<PasskeyRow, 'counter' | 'isBackedUp'>> {
  const { id, clientDataJSON, authenticatorData, signature } = assertion
  const { verified, authenticationInfo } = await refuseFailed(
    ctx,
    async () =>
      await verifyAuthenticationResponse({
        response: {
          id,
          rawId: id,
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON, authenticatorData, signature },
        },
        expectedChallenge: challenge,
        expectedOrigin: ctx.settings.publicOrigin,
        expectedRPID: relyingPartyId(ctx),
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      }),
  )
  if (!verified) throw passkeyRefused()
  return {
    counter: authenticationInfo.newCounter,
    isBackedUp: authenticationInfo.credentialBackedUp,
  }
}

/**
 * No attestation is asked for, so that the only honest forms are none and the device's own
 * signature. The others carry certificates, which the library would follow to addresses of the
 * sender's choice.
 */
function refuseAttested(attestationObject: string): void {
  const decoded = decodeAttestationObject(
    Uint8Array.from(Buffer.from(attestationObject, 'base64url')),
  )
  const format = decoded.get('fmt')
  const isOwn = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !isOwn) throw new Error('The attestation was not asked for')
}

/** The library throws for whatever is wrong with an answer. */
async function refuseFailed<T>({ log }: Pick<Ctx, 'log'>, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    log.info('passkeys/refused', { error })
    throw passkeyRefused()
  }
}
