import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { agoWords, dateWords } from '#src/lib/time-words.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { usePasskeys, useRemovePasskey, type Passkey } from './use-passkeys.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { AddPasskey } from './AddPasskey.tsx'

/** The passkeys of the account: which there are, adding one of this device, removing. */
export function Passkeys() {
  const passkeys = usePasskeys()
  const isOnline = useOnline()
  const toasts = useToasts()
  const removal = useRemovePasskey()
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const remove = async (id: string) => {
    setFailure(null)
    const removed = await removal.mutateAsync(id)
    if (removed.ok) toasts.show('success', 'The passkey is removed.')
    else setFailure(removed.error)
  }
  return (
    <Card as="section" labelledBy="passkeys" className="flex flex-col gap-4">
      <div>
        <h2 id="passkeys" className="text-xl font-semibold">
          Passkeys
        </h2>
        <p className="mt-1 text-sm text-ink-muted">
          Log in with your fingerprint, your face or the PIN of your device instead of waiting for
          an email. Logging in by email always works too.
        </p>
      </div>
      <PullFailure pull={passkeys} title="Unable to fetch your passkeys" />
      {failure === null ? null : (
        <Notice kind="error" isLive title="The passkey could not be removed">
          {serverProblemCopy(failure).title}
        </Notice>
      )}
      <PasskeyList
        passkeys={passkeys.data}
        isLoading={passkeys.status === 'nothing-yet'}
        isDisabled={!isOnline || removal.isPending}
        onRemove={(id) => void remove(id)}
      />
      {isOnline ? (
        <AddPasskey />
      ) : (
        <p className="text-sm text-ink-muted">You can change passkeys when you are online.</p>
      )}
    </Card>
  )
}

function PasskeyList({
  passkeys,
  isLoading,
  isDisabled,
  onRemove,
}: {
  readonly passkeys: readonly Passkey[] | null
  readonly isLoading: boolean
  readonly isDisabled: boolean
  readonly onRemove: (id: string) => void
}) {
  if (passkeys === null)
    return isLoading ? (
      <div role="status" aria-label="Loading your passkeys">
        <Skeleton className="h-12" />
      </div>
    ) : null
  if (passkeys.length === 0) return <p className="text-ink-muted">You have no passkeys yet.</p>
  return (
    <ul className="divide-y divide-line">
      {passkeys.map((passkey) => (
        <PasskeyItem
          key={passkey._id}
          passkey={passkey}
          isDisabled={isDisabled}
          onRemove={() => onRemove(passkey._id)}
        />
      ))}
    </ul>
  )
}

function PasskeyItem({
  passkey: { name, createdAt, lastUsedAt },
  isDisabled,
  onRemove,
}: {
  readonly passkey: Passkey
  readonly isDisabled: boolean
  readonly onRemove: () => void
}) {
  const nowEpochMs = useNow(MINUTE_MS)
  const added = `added ${dateWords(Date.parse(createdAt))}`
  const used =
    lastUsedAt === null ? 'Not used yet' : `Used ${agoWords(nowEpochMs - Date.parse(lastUsedAt))}`
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <KeyRound aria-hidden className="size-6 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-muted">{`${used}, ${added}`}</p>
      </div>
      <SendButton
        sends="DELETE /v1/users/me/passkeys/{id}"
        variant="secondary"
        size="small"
        isDisabled={isDisabled}
        label={`Remove ${name}, ${added}`}
        onPress={onRemove}
      >
        Remove
      </SendButton>
    </li>
  )
}
