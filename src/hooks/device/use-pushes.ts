import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAccount, useLocal } from './local-context.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  clearShownPushes,
  endPushes,
  isPushDenied,
  pushSupport,
  readPushAddress,
  subscribeToPushes,
  type PushFailure,
} from '#src/bridge/device-pushes.ts'
import {
  endPushSubscription,
  markNoticesSeen,
  savePushSubscription,
} from '#src/local/calls/pushes.ts'
import type { Result } from '#src/lib/result.ts'

export type { PushFailure } from '#src/bridge/device-pushes.ts'

const HERE_KEY = ['pushes-here'] as const

/** The server's messages to this device. */
export type DevicePushes =
  /** iOS: only once the app is on the Home Screen. */
  | { readonly kind: 'install-first' }
  /** What the browser says of it is not read yet. */
  | { readonly kind: 'reading' }
  /** The person or the system refused them; only the browser's settings change it. */
  | { readonly kind: 'denied' }
  | {
      readonly kind: 'off' | 'on'
      readonly isBusy: boolean
      /** Call it from a press, or browsers do not ask the person. */
      readonly turn: (isWanted: boolean) => Promise<Result<null, ApiFailure | PushFailure>>
    }

/** Null where the server sends none, or the browser takes none. */
export function useDevicePushes(): DevicePushes | null {
  const publicKey = useCapabilities().data?.pushKey ?? null
  const support = pushSupport()
  const queries = useQueryClient()
  const here = useQuery({
    queryKey: HERE_KEY,
    enabled: publicKey !== null && support === 'here',
    networkMode: 'always',
    queryFn: async () => ({ isOn: (await readPushAddress()) !== null, isDenied: isPushDenied() }),
  })
  const turn = useCall(
    async (context, isWanted: boolean): Promise<Result<null, ApiFailure | PushFailure>> => {
      if (!isWanted) {
        const ended = await endPushSubscription(context)
        if (ended.ok) await endPushes(context.clock)
        return ended
      }
      const subscribed = await subscribeToPushes(context.clock, publicKey ?? '')
      if (!subscribed.ok) return subscribed
      const saved = await savePushSubscription(context, subscribed.value)
      if (!saved.ok) await endPushes(context.clock)
      return saved
    },
    () => queries.invalidateQueries({ queryKey: HERE_KEY }),
  )
  if (publicKey === null || support === 'none') return null
  if (support === 'install-first') return { kind: 'install-first' }
  if (here.data === undefined) return { kind: 'reading' }
  if (here.data.isDenied) return { kind: 'denied' }
  return {
    kind: here.data.isOn ? 'on' : 'off',
    isBusy: turn.isPending,
    turn: turn.mutateAsync,
  }
}

/** Once in the life of a page: the server may have dropped the subscription of this device. */
let isSavedAgain = false

/**
 * The person looks at what the server tells of: takes the number off the app's icon and what is
 * still shown away, and says so to the server, where this device takes its messages.
 */
export function useSeenNotices(): void {
  const { api, channel, ports } = useLocal()
  const account = useAccount()
  const publicKey = useCapabilities().data?.pushKey ?? null
  const isAsked = account !== null && publicKey !== null && pushSupport() === 'here'
  useEffect(() => {
    if (!isAsked) return undefined
    const see = async (): Promise<void> => {
      if (!ports.isVisible()) return
      await clearShownPushes()
      const address = await readPushAddress()
      if (address === null) return
      if (!isSavedAgain) isSavedAgain = (await savePushSubscription({ api }, address)).ok
      await markNoticesSeen({ api })
    }
    // What fails is said again at the next look.
    const look = (): void => void see().catch(() => undefined)
    look()
    const stops = [channel.on('told-in-sight', look), ports.onAttention(look)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [isAsked, api, channel, ports])
}
