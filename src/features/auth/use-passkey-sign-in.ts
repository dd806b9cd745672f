import { useCallback, useEffect, useState } from 'react'
import { beginPasskeySignIn, signInByPasskey } from './auth-calls.ts'
import { apiFailureMessage, type ApiFailure } from '#src/api/errors.ts'
import {
  askForPasskey,
  offersPasskeysInFields,
  stopAskingForPasskey,
  type DeviceFailure,
} from '#src/hooks/account/authenticator.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import type { Result } from '#src/lib/result.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

type Ended = Result<unknown, ApiFailure | DeviceFailure>
type State =
  | { readonly kind: 'idle' }
  /** Stays after a success: the route leads on. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly message: string }

/** The challenge of the field is renewed before its 10 minutes are over. */
const RENEWED_AFTER_MS = 9 * MINUTE_MS

/** Signing in with a passkey. While the button does not ask, the e-mail field offers passkeys. */
export function usePasskeySignIn(): { readonly state: State; readonly start: () => void } {
  const { api, session } = useLocal()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const signIn = useCallback(
    async (where: 'dialog' | 'field', isOver: () => boolean): Promise<Ended> => {
      const begun = await beginPasskeySignIn(api)
      if (!begun.ok || isOver()) return begun
      const chosen = await askForPasskey(begun.value, where)
      if (!chosen.ok) return chosen
      setState({ kind: 'busy' })
      const signedIn = await signInByPasskey(api, chosen.value)
      if (signedIn.ok) session.refresh()
      else setState({ kind: 'refused', message: apiFailureMessage(signedIn.error) })
      return signedIn
    },
    [api, session],
  )
  useFieldOffer(signIn, state.kind !== 'busy')
  const start = () => {
    setState({ kind: 'busy' })
    void signIn('dialog', () => false).then((ended) => {
      if (!ended.ok) setState(stateAfter(ended.error))
    })
  }
  return { state, start }
}

/** Offers passkeys in the e-mail field, again and again while it may. */
function useFieldOffer(
  signIn: (where: 'field', isOver: () => boolean) => Promise<Ended>,
  mayOffer: boolean,
): void {
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!mayOffer) return undefined
    let isOver = false
    const offer = async () => {
      // A failure stays unsaid: the person did not ask for this, and the button says what is wrong.
      if ((await offersPasskeysInFields()) && !isOver) await signIn('field', () => isOver)
    }
    void offer()
    const renewal = setTimeout(() => setRound((before) => before + 1), RENEWED_AFTER_MS)
    return () => {
      isOver = true
      clearTimeout(renewal)
      stopAskingForPasskey()
    }
  }, [signIn, mayOffer, round])
}

function stateAfter(failure: ApiFailure | DeviceFailure): State {
  switch (failure.code) {
    case 'device/stopped':
      return { kind: 'idle' }
    case 'device/other-address':
      return refused('Passkeys work only at the own address of this server. Log in by email.')
    case 'device/failed':
    case 'device/has-passkey':
      return refused('This device could not use a passkey. Log in by email.')
    default:
      return refused(apiFailureMessage(failure))
  }
}

function refused(message: string): State {
  return { kind: 'refused', message }
}
