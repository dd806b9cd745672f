import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { agoWords, dateWords } from '#src/lib/time-words.ts'
import { useDevices, useSignOutDevices, type Device } from './use-devices.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { HOUR_MS, MINUTE_MS } from '#src/lib/time.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** The server writes the time of the last use once an hour. */
const USED_NOW_MS = HOUR_MS

/** The devices that are signed in; each but this one can be signed out, and all at once. */
export function Devices() {
  const devices = useDevices()
  const isOnline = useOnline()
  const toasts = useToasts()
  const signOut = useSignOutDevices()
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const others = (devices.data ?? []).filter(({ isCurrent }) => !isCurrent)
  const start = async (which: Parameters<typeof signOut.mutateAsync>[0]) => {
    setFailure(null)
    const done = await signOut.mutateAsync(which)
    if (!done.ok) setFailure(done.error)
    else if (which === 'others') toasts.show('success', 'All other devices are signed out.')
    else toasts.show('success', 'The device is signed out.')
  }
  return (
    <Card as="section" labelledBy="devices" className="flex flex-col gap-4">
      <div>
        <h2 id="devices" className="text-xl font-semibold">
          Devices
        </h2>
        <p className="mt-1 text-sm text-ink-muted">
          Where your account is signed in. Signing a device out removes your edits and drafts from
          it. Uploads that are not finished can go on there when you log in again.
        </p>
      </div>
      <PullFailure pull={devices} title="Unable to fetch your devices" />
      {failure === null ? null : (
        <Notice kind="error" isLive title="The device could not be signed out">
          {serverProblemCopy(failure).title}
        </Notice>
      )}
      <DeviceList
        devices={devices.data}
        isLoading={devices.status === 'nothing-yet'}
        isDisabled={!isOnline || signOut.isPending}
        onSignOut={(sessionId) => void start({ sessionId })}
      />
      {others.length === 0 ? null : (
        <SendButton
          sends="DELETE /v1/users/me/sessions"
          variant="secondary"
          className="self-start"
          isBusy={signOut.isPending}
          isDisabled={!isOnline}
          onPress={() => void start('others')}
        >
          Sign out all other devices
        </SendButton>
      )}
      {isOnline || others.length === 0 ? null : (
        <p className="text-sm text-ink-muted">You can sign devices out when you are online.</p>
      )}
    </Card>
  )
}

function DeviceList({
  devices,
  isLoading,
  isDisabled,
  onSignOut,
}: {
  readonly devices: readonly Device[] | null
  readonly isLoading: boolean
  readonly isDisabled: boolean
  readonly onSignOut: (sessionId: string) => void
}) {
  if (devices === null)
    return isLoading ? (
      <div role="status" aria-label="Loading your devices">
        <Skeleton className="h-16" />
      </div>
    ) : null
  return (
    <ul className="divide-y divide-line">
      {devices.map((device) => (
        <DeviceItem
          key={device._id}
          device={device}
          isDisabled={isDisabled}
          onSignOut={() => onSignOut(device._id)}
        />
      ))}
    </ul>
  )
}

function DeviceItem({
  device,
  isDisabled,
  onSignOut,
}: {
  readonly device: Device
  readonly isDisabled: boolean
  readonly onSignOut: () => void
}) {
  const nowEpochMs = useNow(MINUTE_MS)
  const { deviceName, isCurrent, createdAt } = device
  const name = deviceName ?? 'Unknown device'
  const since = `signed in ${dateWords(Date.parse(createdAt))}`
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <MonitorSmartphone aria-hidden className="size-6 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 font-semibold">
          {name}
          {isCurrent ? <Badge tone="good">This device</Badge> : null}
        </p>
        <p className="text-sm text-ink-muted">
          {isCurrent ? `In use now, ${since}` : `${lastUseWords(device, nowEpochMs)}, ${since}`}
        </p>
      </div>
      {isCurrent ? null : (
        <SendButton
          sends="DELETE /v1/users/me/sessions/{id}"
          variant="secondary"
          size="small"
          isDisabled={isDisabled}
          label={`Sign out ${name}, ${since}`}
          onPress={onSignOut}
        >
          Sign out
        </SendButton>
      )}
    </li>
  )
}

function lastUseWords({ lastSeenAt }: Device, nowEpochMs: number): string {
  const agoMs = nowEpochMs - Date.parse(lastSeenAt)
  return agoMs < USED_NOW_MS ? 'Used within the last hour' : `Used ${agoWords(agoMs)}`
}
