import { useEffect, useEffectEvent, useRef } from 'react'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useMaking } from '#src/hooks/edits/use-made-edits.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

/** A screen that shows it has noted that by then. */
const UNSEEN_AFTER_MS = SECOND_MS

/** Tells that an edit of this device has ended where no screen shows it. Renders nothing. */
export function MakeEndTold() {
  const id = useMaking()?.id ?? null
  const { clock } = useLocal()
  // Of a hidden scene nothing is told.
  const db = useAccount()?.shown ?? null
  const toasts = useToasts()
  const before = useRef<string | null>(null)
  const tell = useEffectEvent(async (ended: string) => {
    await clock.sleep(UNSEEN_AFTER_MS)
    const row = await db?.madeFiles.get(ended)
    if (row === undefined || row.seenAtEpochMs !== null) return
    if (row.state.kind === 'ready')
      toasts.show('success', `${row.editName} is made. It is in My Edits, on this device only.`)
    if (row.state.kind === 'failed')
      toasts.show(
        'error',
        row.kept == null
          ? `${row.editName} could not be made on this device.`
          : `${row.editName} was not finished. Go on with it in My Edits.`,
      )
  })
  useEffect(() => {
    const ended = before.current
    before.current = id
    // A log-out takes the database along.
    if (ended !== null && id === null) void tell(ended).catch(() => undefined)
  }, [id])
  return null
}
