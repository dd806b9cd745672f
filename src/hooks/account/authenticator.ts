/**
 * Passkeys of this device, as the browser gives them (WebAuthn). Only the page has them: a dialog
 * of the system asks the person.
 */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { components } from '#openapi/schema.gen.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

type Schemas = components['schemas']

/** Why the device gave no passkey. */
export interface DeviceFailure {
  readonly code:
    /** By the person, by a newer request, or because no person answered. */
    | 'device/stopped'
    /** This account has a passkey on this device. */
    | 'device/has-passkey'
    /** The page is open at another address than the server's own. */
    | 'device/other-address'
    | 'device/failed'
}

/** Whether passkeys can be used here; browsers refuse them at an address without a name. */
export type PasskeySupport = 'here' | 'needs-name' | 'none'

/** Asked once a screen: neither browser nor address changes while a page is open. */
export function passkeySupport(): PasskeySupport {
  if (!window.isSecureContext || !browserSupportsWebAuthn()) return 'none'
  return /^\[|^[\d.]+$/.test(window.location.hostname) ? 'needs-name' : 'here'
}

/** Whether the browser offers passkeys where the address is typed. */
export function offersPasskeysInFields(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill()
}

/** Makes a passkey, after the system has asked the person. */
export async function makePasskey(
  options: Schemas['PasskeyCreationOptions'],
): Promise<Result<Schemas['AddPasskeyBody']['credential'], DeviceFailure>> {
  try {
    const { id, response } = await startRegistration({ optionsJSON: options })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return ok({ id, clientDataJSON, attestationObject, transports: transports.slice(0, 10) })
  } catch (error) {
    return err(failureOf(error))
  }
}

/**
 * Asks for one of the person's passkeys: `dialog` opens the system's own, `field` offers them with
 * what the browser remembers for the e-mail field and waits until one is chosen. A newer request
 * stops an older one.
 */
export async function askForPasskey(
  options: Schemas['PasskeyRequestOptions'],
  where: 'dialog' | 'field',
): Promise<Result<Schemas['PasskeyAssertionBody']['credential'], DeviceFailure>> {
  try {
    const { id, response } = await startAuthentication({
      optionsJSON: options,
      useBrowserAutofill: where === 'field',
    })
    const { clientDataJSON, authenticatorData, signature } = response
    return ok({ id, clientDataJSON, authenticatorData, signature })
  } catch (error) {
    return err(failureOf(error))
  }
}

/** Stops the request that waits, if any. */
export function stopAskingForPasskey(): void {
  WebAuthnAbortService.cancelCeremony()
}

function failureOf(error: unknown): DeviceFailure {
  if (error instanceof WebAuthnError)
    switch (error.code) {
      case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
        return { code: 'device/has-passkey' }
      case 'ERROR_INVALID_DOMAIN':
      case 'ERROR_INVALID_RP_ID':
        return { code: 'device/other-address' }
      case 'ERROR_CEREMONY_ABORTED':
        return { code: 'device/stopped' }
      default:
        break
    }
  const name = error instanceof Error ? error.name : ''
  // Browsers do not tell a refusal of the person from silence.
  return {
    code: name === 'NotAllowedError' || name === 'AbortError' ? 'device/stopped' : 'device/failed',
  }
}
