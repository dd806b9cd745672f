import { useState } from 'react'
import { lockFailureWords } from '#src/components/account/lock-words.ts'
import type { LockFailure } from '#src/hooks/account/lock-passkey.ts'
import { useHiddenScenes } from '#src/hooks/edits/use-hidden-scenes.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/**
 * The press that shows hidden scenes after the passkey, and the one that ends it. It is there with
 * every app lock, so that it does not tell whether something is hidden. Nothing without a lock.
 */
export function ShowHidden({ words }: { readonly words: string }) {
  const hidden = useHiddenScenes()
  const [failure, setFailure] = useState<LockFailure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  if (hidden === null) return null
  const show = async () => {
    setFailure(null)
    setIsBusy(true)
    setFailure(await hidden.reveal().catch((): LockFailure => ({ code: 'device/failed' })))
    setIsBusy(false)
  }
  if (hidden.isRevealed)
    return (
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <p role="status">Hidden scenes are shown until you press Done, or look elsewhere.</p>
        <Button variant="secondary" onPress={hidden.cover}>
          Done
        </Button>
      </div>
    )
  return (
    <div className="mt-6 flex flex-col items-start gap-3">
      <Button variant="secondary" isBusy={isBusy} onPress={() => void show()}>
        {words}
      </Button>
      {failure === null ? null : (
        <Notice kind={failure.code === 'device/stopped' ? 'info' : 'error'} isLive>
          {lockFailureWords(failure)}
        </Notice>
      )}
    </div>
  )
}
