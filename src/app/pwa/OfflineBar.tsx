import { CloudOff } from 'lucide-react'
import { useEffect } from 'react'
import { offlineText } from './offline-text.ts'
import { useAccount, useLocal } from '#src/hooks/local-context.ts'
import { useOnline } from '#src/hooks/use-online.ts'
import { useMe } from '#src/hooks/use-profile.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** While the server cannot be reached although the browser says online: how often to look again. */
const LOOK_AGAIN_MS = 15 * SECOND_MS
const UNREACHABLE: ReadonlySet<string> = new Set(['api/offline', 'api/no-response', 'api/timeout'])

/**
 * Says that there is no connection, and how old what is shown is. The browser's word alone is not
 * trusted: a failed call counts too.
 */
export function OfflineBar() {
  const { clock } = useLocal()
  const isOnline = useOnline()
  const isSignedIn = useAccount() !== null
  const me = useMe()
  const isUnreachable = isSignedIn && me.failure !== null && UNREACHABLE.has(me.failure.code)
  const { refresh } = me
  useEffect(() => {
    if (!isUnreachable || !isOnline) return
    const timer = setInterval(refresh, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isUnreachable, isOnline, refresh])
  if (isOnline && !isUnreachable) return null
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2.5 border-b border-warn-line bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn"
    >
      <CloudOff aria-hidden className="size-4.5 shrink-0" />
      {offlineText(isSignedIn ? me.asOfEpochMs : null, new Date(clock.now()))}
    </div>
  )
}
