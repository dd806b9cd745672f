import { createSlotWatch } from './slot-watch.ts'
import { createAttemptRunner, type AttemptEnd } from './part-attempt.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import type { PartUrl } from './part-urls.ts'
import { networkIsDown, type TransferView } from '#src/local/uploads/network/network-outage.ts'
import { endsFirst, missingParts } from '#src/local/uploads/model/plan.ts'
import { backOffEvent } from '#src/local/uploads/model/problems.ts'
import { createRefresh } from './refresh.ts'
import {
  createSchedule,
  firstSlots,
  isDrained,
  settleAgain,
  settleKnown,
  settleSafe,
  takePart,
  type Schedule,
} from './scheduler.ts'
import { createAlarm, startTicker } from './ticker.ts'
import { createTransferContext, type TransferInput } from './transfer-context.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { isAbort } from '#src/lib/abort.ts'

/** A shorter pause gets no state of its own. */
const QUIET_PAUSE_MS = 2_000

/**
 * Sends the missing parts, at most five at a time, until none is left or an obstacle appears.
 * Returns that as an event for the machine; null when the claim ended or the engine drains. All its
 * requests have ended when it resolves.
 */
export async function transferParts(input: TransferInput): Promise<UploadEvent | null> {
  const { deps, claim, urls, meter } = input
  const running = new Map<number, AbortController>()
  const tasks = new Set<Promise<void>>()
  const alarm = createAlarm()
  const stopAll = (): void => {
    for (const controller of running.values()) controller.abort()
  }
  const missing = endsFirst(input.plan, missingParts(input.plan, new Set(claim.safeParts().keys())))
  let schedule: Schedule = createSchedule(
    missing,
    input.network.slots ?? firstSlots(deps.firstSlots),
  )
  let isAllStored = false
  const watch = createSlotWatch({
    deps,
    plan: input.plan,
    meter,
    hasRoom: () => schedule.pending.length > 0 && schedule.inFlight.size < schedule.limit,
    drop: (partNumber) => running.get(partNumber)?.abort(),
    report: (wait) => {
      meter.stalled(wait)
      alarm.ring()
    },
  })
  const { inFlight, storage } = watch
  const context = createTransferContext(
    { ...input, meter: { ...meter, sent: watch.sent } },
    storage,
    () => running.size,
    (event) => {
      // Parts in flight do not need the login: after a 401 they may finish.
      if (event.kind !== 'auth-lost') stopAll()
      alarm.ring()
    },
  )
  const refresh = createRefresh(
    context,
    (partNumber) => {
      if (running.has(partNumber)) return false
      schedule = settleKnown(schedule, partNumber)
      return true
    },
    alarm.ring,
  )
  const runAttempt = createAttemptRunner(context, refresh.run)

  let lastUrl: string | null = null
  const launch = (partNumber: number, url: PartUrl): void => {
    lastUrl = url.url
    const controller = new AbortController()
    running.set(partNumber, controller)
    watch.noteActivity()
    inFlight.opened(partNumber)
    storage.began(partNumber)
    const leave = (): void => {
      running.delete(partNumber)
      inFlight.closed(partNumber)
      storage.ended(partNumber)
      watch.noteActivity()
    }
    const settle = (end: AttemptEnd): void => {
      leave()
      meter.ended(partNumber)
      if (end.kind === 'again') schedule = settleAgain(schedule, partNumber, end.losesSlot)
    }
    const onStored = (tookMs: number): void => {
      const times = watch.times(partNumber, tookMs)
      leave()
      schedule = settleSafe(schedule, partNumber, times)
      alarm.ring()
    }
    const task = runAttempt({
      partNumber,
      url,
      signal: AbortSignal.any([controller.signal, claim.signal]),
      onStored,
    })
      .then(settle, (thrown: unknown) => {
        settle({ kind: 'again', losesSlot: false })
        if (isAbort(thrown)) return
        deps.log.error('a part ended unexpectedly', describeBug(thrown))
        context.end({ kind: 'fail', code: 'upload/unexpected', message: null })
      })
      .finally(() => {
        tasks.delete(task)
        alarm.ring()
      })
    tasks.add(task)
  }

  const fillSlots = (): void => {
    while (storage.mayBegin()) {
      const next = takePart(schedule)
      if (next === null) {
        // Slots that share a network become free together.
        input.hashes.ahead(schedule.pending.slice(0, schedule.limit))
        return
      }
      const url = urls.get(next.partNumber, deps.clock.now())
      if (url === null) {
        const { partNumber } = next
        // A server that names no URL for a missing part must not be asked in a loop.
        void refresh.run().then((didAnswer) => {
          if (didAnswer && urls.get(partNumber, deps.clock.now()) === null)
            context.backOff('server', null)
        })
        return
      }
      schedule = next.schedule
      launch(next.partNumber, url)
    }
  }

  const fitSlots = (): void => {
    const fitted = watch.fit(schedule)
    schedule = fitted.schedule
    for (const partNumber of fitted.waiting) running.get(partNumber)?.abort()
  }

  /** What the loop does next; undefined means that it waits for the next ring. */
  const step = (): UploadEvent | null | undefined => {
    if (claim.signal.aborted) return null
    const isQuiet = tasks.size === 0 && !refresh.isRunning()
    const ending = context.ending()
    if (ending !== null) return isQuiet ? ending : undefined
    if (isDrained(schedule)) {
      if (
        !isAllStored &&
        missingParts(input.plan, new Set(claim.safeParts().keys())).length === 0
      ) {
        isAllStored = true
        input.onAllStored()
      }
      return isQuiet ? { kind: 'all-safe' } : undefined
    }
    if (input.draining.aborted) return isQuiet ? null : undefined
    const wait = context.backingOff()
    if (wait !== null)
      return isQuiet && wait.retryAtEpochMs - deps.clock.now() > QUIET_PAUSE_MS
        ? { kind: 'back-off', wait }
        : undefined
    fitSlots()
    if (!refresh.isRunning()) fillSlots()
    return undefined
  }

  const ticker = startTicker(context, stopAll, alarm.ring)
  const over = new AbortController()
  const watching = AbortSignal.any([over.signal, claim.signal])
  const view: TransferView = {
    lastActivityAtMs: watch.lastActivityAtMs,
    bytesPerSecond: watch.bytesPerSecond,
    underWay: () => running.keys(),
    isBackingOff: () => context.backingOff()?.reason === 'server',
    storage,
    checkStorage: async (signal) =>
      lastUrl !== null && deps.transport.checkStorage(lastUrl, signal),
  }
  const outage = networkIsDown(deps, input.network, view, watching).then(() => {
    if (!watching.aborted) context.end(backOffEvent(deps, input.retries, 'network', null))
  })
  claim.signal.addEventListener('abort', alarm.ring)
  input.draining.addEventListener('abort', alarm.ring)
  try {
    for (;;) {
      const next = step()
      if (next !== undefined) return next
      await alarm.next()
    }
  } finally {
    claim.signal.removeEventListener('abort', alarm.ring)
    input.draining.removeEventListener('abort', alarm.ring)
    input.network.slots = { limit: schedule.limit, concurrency: schedule.concurrency }
    stopAll()
    meter.stalled(null)
    over.abort()
    await Promise.allSettled([...tasks, ticker.stop(), outage])
  }
}
