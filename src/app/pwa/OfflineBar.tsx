import { useAtomValue } from 'jotai'
import { CloudOff } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { offlineText } from './offline-text.ts'
import { PORTAL_ADVICE } from '#src/components/problem/server-copy.ts'
import { API_BASE } from '#src/config/paths.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { oldestShownTimeAtom } from '#src/hooks/sync/shown-times-atoms.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useOutage } from '#src/hooks/network/use-outage.ts'
import { useMe } from '#src/hooks/account/use-profile.ts'
import { useUploads } from '#src/hooks/uploads/use-uploads.ts'

/**
 * Says what keeps the screens from the server, and how old what is shown is: what the screen says
 * of it, else the time of the last pull of who the person is. The browser's word alone is not
 * trusted: a call that did not reach the server counts too.
 */
export function OfflineBar() {
  const { clock } = useLocal()
  const isOnline = useOnline()
  const isSignedIn = useAccount() !== null
  const me = useMe()
  const outage = useOutage()
  const shownEpochMs = useAtomValue(oldestShownTimeAtom)
  const refresh = useEffectEvent(me.refresh)
  const isUploadWaiting = useUploads()?.some(({ state }) => state.kind === 'waiting') === true
  // An upload is often the first to notice an outage; a pull tells which one it is.
  useEffect(() => {
    if (isUploadWaiting) refresh()
  }, [isUploadWaiting])
  const kind = isOnline ? outage : (outage ?? 'no-answer')
  if (kind === null) return null
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2.5 border-b border-warn-line bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn"
    >
      <CloudOff aria-hidden className="size-4.5 shrink-0" />
      <span>
        {offlineText(kind, isSignedIn ? (shownEpochMs ?? me.asOfEpochMs) : null, clock.now())}
        {kind === 'portal' ? <PortalLink /> : null}
      </span>
    </div>
  )
}

/** An address that no cache and no service worker answers, so that the portal does. */
function PortalLink() {
  return (
    <>
      {` ${PORTAL_ADVICE} `}
      <a
        href={`${API_BASE}/v1/capabilities`}
        target="_blank"
        rel="noreferrer"
        className="underline"
      >
        Open its sign-in page
      </a>
    </>
  )
}
