import { Lock } from 'lucide-react'
import { useState } from 'react'
import { lockFailureWords } from '#src/components/account/lock-words.ts'
import type { LockFailure } from '#src/hooks/account/lock-passkey.ts'
import { Button } from '#src/ui/Button.tsx'
import { DocumentTitle } from '#src/ui/DocumentTitle.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'

export interface LockScreenProps {
  /** Null once it is open, and this screen goes. */
  readonly unlock: () => Promise<LockFailure | null>
  /** Does not return: the page begins again without the account. */
  readonly leave: () => Promise<void>
}

/** Stands in the place of every screen while the app is locked; knows nothing of the account. */
export function LockScreen({ unlock, leave }: LockScreenProps) {
  const [failure, setFailure] = useState<LockFailure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const open = async () => {
    setFailure(null)
    setIsBusy(true)
    const failed = await unlock().catch((): LockFailure => ({ code: 'lock/unfinished' }))
    setFailure(failed)
    setIsBusy(false)
  }
  return (
    <main className="flex min-h-dvh flex-col items-center gap-6 px-6 py-12 text-center">
      <DocumentTitle screen="Locked" />
      {/* The button stays under the finger: what is said of it comes below. */}
      <div className="flex grow basis-0 flex-col items-center justify-end gap-6">
        <Lock aria-hidden className="size-12 text-accent" />
        <h1 className="text-3xl font-bold">Locked</h1>
        <p className="max-w-prose text-lg text-ink-muted">
          Unlock with your fingerprint, your face or the PIN of this device.
        </p>
        <Button variant="primary" isBusy={isBusy} onPress={() => void open()}>
          Unlock
        </Button>
      </div>
      <div className="flex grow basis-0 flex-col items-center gap-6">
        {failure === null ? null : (
          <Notice
            kind={failure.code === 'device/stopped' ? 'info' : 'error'}
            isLive
            className="text-start"
          >
            {lockFailureWords(failure)}
          </Notice>
        )}
        <div className="mt-auto">
          <Leave leave={leave} />
        </div>
      </div>
    </main>
  )
}

function Leave({ leave }: Pick<LockScreenProps, 'leave'>) {
  const [isAsking, setIsAsking] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  const act = async () => {
    setIsLeaving(true)
    await leave().finally(() => setIsLeaving(false))
  }
  return (
    <>
      <Button variant="quiet" onPress={() => setIsAsking(true)}>
        Log out and remove everything from this device
      </Button>
      <QuestionDialog
        title="Remove everything from this device?"
        isOpen={isAsking}
        isPending={isLeaving}
        keepWords="Keep it locked"
        actWords="Log out and remove"
        isDanger
        onAct={() => void act()}
        onClose={() => setIsAsking(false)}
      >
        <p>
          For when its passkey is lost. Log in again by email, and what the server has comes back.
        </p>
        <p className="mt-2">
          What is only on this device is lost: edits that it made, uploads that are not finished,
          and changes that were not sent yet.
        </p>
      </QuestionDialog>
    </>
  )
}
