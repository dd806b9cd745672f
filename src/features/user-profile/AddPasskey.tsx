import { useState } from 'react'
import { apiFailureMessage, type ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { passkeySupport, type DeviceFailure } from '#src/hooks/account/authenticator.ts'
import { useAddPasskey } from './use-passkeys.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** Adds a passkey of this device, or says why this device can have none. */
export function AddPasskey() {
  const support = passkeySupport()
  if (support === 'here') return <AddForm />
  return (
    <p className="text-sm text-ink-muted">
      {support === 'none'
        ? 'This browser has no passkeys. You can add one in another browser.'
        : needsName(window.location)}
    </p>
  )
}

function AddForm() {
  const toasts = useToasts()
  const adding = useAddPasskey()
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<ApiFailure | DeviceFailure | null>(null)
  const add = async () => {
    setFailure(null)
    const typed = name.trim()
    const added = await adding.mutateAsync({ name: typed === '' ? null : typed })
    if (!added.ok) return setFailure(added.error)
    setName('')
    toasts.show('success', 'The passkey is added.')
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!adding.isPending) void add()
      }}
    >
      <TextField
        label="Name of the passkey"
        hint="Without a name it is called after this device."
        name="passkey"
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={setName}
        isDisabled={adding.isPending}
      />
      {failure === null ? null : (
        <Notice kind={failure.code === 'device/stopped' ? 'info' : 'error'} isLive>
          {failureWords(failure)}
        </Notice>
      )}
      <SendButton
        sends={['POST /v1/users/me/passkeys/options', 'POST /v1/users/me/passkeys']}
        type="submit"
        variant="secondary"
        className="self-start"
        isBusy={adding.isPending}
      >
        Add a passkey
      </SendButton>
    </form>
  )
}

function failureWords(failure: ApiFailure | DeviceFailure): string {
  switch (failure.code) {
    case 'device/stopped':
      return 'No passkey was made. Try again when you are ready.'
    case 'device/has-passkey':
      return 'This device has a passkey for your account already.'
    case 'device/other-address':
      return 'Passkeys work only at the own address of this server. Open Onecut there.'
    case 'device/failed':
      return 'This device could not make a passkey. Try another device or browser.'
    default:
      return apiFailureMessage(failure)
  }
}

/** Browsers have no passkeys for an address of numbers; this machine has a name beside its own. */
function needsName({ hostname, port }: Location): string {
  return hostname.startsWith('127.') || hostname === '[::1]'
    ? `Browsers allow passkeys only at an address with a name. Open http://localhost:${port} to add one.`
    : 'Browsers allow passkeys only at an address with a name, and this one has only numbers.'
}
