import { KeyRound } from 'lucide-react'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/**
 * Logging in with a passkey instead of a mail: by a button, and in browsers that can, by what they
 * offer in the e-mail field. The route leads on when the session has changed.
 */
export function PasskeySignIn() {
  const { state, start } = usePasskeySignIn()
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-5">
      {state.kind === 'refused' ? (
        <Notice kind="error" isLive>
          {state.message}
        </Notice>
      ) : null}
      <SendButton
        sends={['POST /v1/auth/passkey/options', 'POST /v1/auth/passkey']}
        variant="secondary"
        size="large"
        isBusy={state.kind === 'busy'}
        onPress={start}
      >
        <KeyRound aria-hidden className="size-5" />
        Log in with a passkey
      </SendButton>
    </div>
  )
}
