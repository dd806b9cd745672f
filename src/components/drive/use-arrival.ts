import { useEffect, useState } from 'react'
import { arrivalFailureWords, forgetArrival, readDriveArrival } from './arrival.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import type { ExternalAuth } from '#src/local/nouns/external-auths.ts'
import { useToasts } from '#src/ui/toasts-context.ts'

/**
 * Shows what a visit to Google brought, once. An address says nothing for sure: that a drive is
 * connected is said when the server's list has it. Returns why it is not; a drive that was seen
 * connected can be disconnected in the same visit, which needs no explanation.
 */
export function useArrival({ data, status }: Shown<readonly ExternalAuth[]>): string | null {
  const toasts = useToasts()
  const [arrival] = useState(() => readDriveArrival(sessionStorage))
  const id = arrival?.externalAuthId ?? null
  const listed = data?.find(({ _id }) => _id === id)
  const [wasListed, setWasListed] = useState(false)
  if (listed !== undefined && !wasListed) setWasListed(true)
  const isConnected = status === 'fresh' && listed?.disconnectedAt === null
  useEffect(() => forgetArrival(sessionStorage), [])
  useEffect(() => {
    if (isConnected)
      toasts.show(
        'success',
        'Successfully connected to Google Drive. You can now use it to upload videos.',
      )
  }, [isConnected, toasts])
  if (arrival === null) return null
  if (arrival.failure !== null) return arrivalFailureWords(arrival.failure)
  return id !== null && status === 'fresh' && !wasListed && listed === undefined
    ? 'This connection is not known here. Please connect Google Drive again.'
    : null
}
