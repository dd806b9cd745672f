import { useState } from 'react'
import { lockFailureWords, lockLackWords } from '#src/components/account/lock-words.ts'
import { useAppLock, type AppLockChoice, type LockFailure } from './use-app-lock.ts'
import type { Result } from '#src/lib/result.ts'
import { HOUR_MS, MINUTE_MS } from '#src/lib/time.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'

const AFTER = [
  { value: String(MINUTE_MS), label: '1 minute' },
  { value: String(5 * MINUTE_MS), label: '5 minutes' },
  { value: String(15 * MINUTE_MS), label: '15 minutes' },
  { value: String(HOUR_MS), label: '1 hour' },
] as const

/** The app lock of this device, or what its browser lacks for it. */
export function AppLock() {
  const choice = useAppLock()
  if (choice === null || choice.state === null) return null
  const { support, lock } = choice.state
  return (
    <Card as="section" labelledBy="app-lock" className="flex flex-col gap-3">
      <h2 id="app-lock" className="text-xl font-semibold">
        App lock
      </h2>
      {support === 'here' || lock !== null ? (
        <LockSwitch choice={choice} isOn={lock !== null} />
      ) : (
        <p className="text-sm text-ink-muted">{lockLackWords(support)}</p>
      )}
      {lock === null ? null : <WhenLocked choice={choice} lockAfterMs={lock.lockAfterMs} />}
    </Card>
  )
}

function LockSwitch({ choice, isOn }: { readonly choice: AppLockChoice; readonly isOn: boolean }) {
  const [failure, setFailure] = useState<LockFailure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const change = async (work: () => Promise<Result<void, LockFailure>>) => {
    setFailure(null)
    setIsBusy(true)
    const changed = await work()
    setIsBusy(false)
    if (!changed.ok) setFailure(changed.error)
  }
  return (
    <div>
      <Checkbox
        isSelected={isOn}
        isDisabled={isBusy}
        onChange={(isWanted) => void change(isWanted ? choice.putOn : choice.takeOff)}
        describedBy="app-lock-words"
      >
        Lock the app with a passkey of this device
      </Checkbox>
      <p id="app-lock-words" className="pl-8 text-sm text-ink-muted">
        What this device has of your library, with kept files and pictures, is encrypted, and opens
        by your fingerprint, your face or the PIN of the device. While it is on, uploads and kept
        files go on only while the app is open; uploads ask for their file again after a start;
        messages say only that something is waiting. Scenes that you hide come back to all lists
        when you take it off. If the passkey is lost, what is only on this device is lost too.
      </p>
      {failure === null ? null : (
        <Notice kind={failure.code === 'device/stopped' ? 'info' : 'error'} isLive className="mt-3">
          {lockFailureWords(failure)}
        </Notice>
      )}
    </div>
  )
}

function WhenLocked({
  choice,
  lockAfterMs,
}: {
  readonly choice: AppLockChoice
  readonly lockAfterMs: number
}) {
  return (
    <div className="flex flex-wrap items-end gap-4 border-t border-line pt-3">
      <SelectField
        label="Lock when the app is out of sight for"
        value={String(lockAfterMs)}
        options={AFTER}
        onChange={(value) => void choice.setAfter(Number(value))}
      />
      <Button variant="secondary" onPress={choice.now}>
        Lock now
      </Button>
    </div>
  )
}
