import { createLaneWatch } from './lane-watch.ts'
import { createLeaseRunner, type LeaseEnd } from './lease.ts'
import type { UploadEvent } from './machine.ts'
import type { PartUrl } from './part-urls.ts'
import { lineIsDown, type Lanes } from './outage.ts'
import { endsFirst, missingParts } from './plan.ts'
import { stallEvent } from './problems.ts'
import { createRefresh } from './refresh.ts'
import {
  createSchedule,
  firstLanes,
  isDrained,
  settleAgain,
  settleKnown,
  settleSafe,
  takeLease,
  type Schedule,
} from './scheduler.ts'
import { createAlarm, startTicker } from './ticker.ts'
import { createTransferContext, type TransferInput } from './transfer-context.ts'
import { isAbort } from '#src/lib/abort.ts'

/** A pause shorter than this is not worth a state of its own. */
const QUIET_PAUSE_MS = 2_000

/**
 * Sends the missing parts, five at most at a time, until nothing is left or something stands in the
 * way, and says which as an event for the machine; null when the session ended or was told to ease
 * off. All its requests are over when it resolves.
 */
export async function transferParts(input: TransferInput): Promise<UploadEvent | null> {
  const { deps, session, urls, meter } = input
  const running = new Map<number, AbortController>()
  const tasks = new Set<Promise<void>>()
  const alarm = createAlarm()
  const stopAll = (): void => {
    for (const controller of running.values()) controller.abort()
  }
  const missing = endsFirst(
    input.plan,
    missingParts(input.plan, new Set(session.safeParts().keys())),
  )
  let schedule: Schedule = createSchedule(missing, input.way.lanes ?? firstLanes(deps.firstLanes))
  let isAllStored = false
  const watch = createLaneWatch({
    deps,
    plan: input.plan,
    meter,
    hasRoom: () => schedule.pending.length > 0 && schedule.leased.size < schedule.limit,
    drop: (partNumber) => running.get(partNumber)?.abort(),
    tell: (wait) => {
      meter.hanging(wait)
      alarm.ring()
    },
  })
  const { book, store } = watch
  const context = createTransferContext(
    { ...input, meter: { ...meter, sent: watch.sent } },
    store,
    () => running.size,
    (event) => {
      // Parts under way need no session: after a 401 they may finish.
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
  const runLease = createLeaseRunner(context, refresh.run)

  let lastUrl: string | null = null
  const launch = (partNumber: number, url: PartUrl): void => {
    lastUrl = url.url
    const controller = new AbortController()
    running.set(partNumber, controller)
    watch.hear()
    book.opened(partNumber)
    store.began(partNumber)
    const leave = (): void => {
      running.delete(partNumber)
      book.closed(partNumber)
      store.ended(partNumber)
      watch.hear()
    }
    const settle = (end: LeaseEnd): void => {
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
    const task = runLease({
      partNumber,
      url,
      signal: AbortSignal.any([controller.signal, session.signal]),
      onStored,
    })
      .then(settle, (thrown: unknown) => {
        settle({ kind: 'again', losesSlot: false })
        if (isAbort(thrown)) return
        deps.log.error('a part ended unexpectedly', {
          name: thrown instanceof Error ? thrown.name : 'unknown',
        })
        context.end({ kind: 'fail', code: 'upload/unexpected', message: null })
      })
      .finally(() => {
        tasks.delete(task)
        alarm.ring()
      })
    tasks.add(task)
  }

  const fillSlots = (): void => {
    while (store.mayBegin()) {
      const lease = takeLease(schedule)
      if (lease === null) {
        // Lanes that share a line come free together.
        input.hashes.ahead(schedule.pending.slice(0, schedule.limit))
        return
      }
      const url = urls.get(lease.partNumber, deps.clock.now())
      if (url === null) {
        const { partNumber } = lease
        // A server that names no URL for a part it lacks must not be asked in a loop.
        void refresh.run().then((didAnswer) => {
          if (didAnswer && urls.get(partNumber, deps.clock.now()) === null)
            context.coolDown('server', null)
        })
        return
      }
      schedule = lease.schedule
      launch(lease.partNumber, url)
    }
  }

  const fitLanes = (): void => {
    const fitted = watch.fit(schedule)
    schedule = fitted.schedule
    for (const partNumber of fitted.waiting) running.get(partNumber)?.abort()
  }

  /** What the loop does now; undefined means: wait for news. */
  const step = (): UploadEvent | null | undefined => {
    if (session.signal.aborted) return null
    const isQuiet = tasks.size === 0 && !refresh.isRunning()
    const ending = context.ending()
    if (ending !== null) return isQuiet ? ending : undefined
    if (isDrained(schedule)) {
      if (
        !isAllStored &&
        missingParts(input.plan, new Set(session.safeParts().keys())).length === 0
      ) {
        isAllStored = true
        input.onAllStored()
      }
      return isQuiet ? { kind: 'all-safe' } : undefined
    }
    if (input.easing.aborted) return isQuiet ? null : undefined
    const wait = context.cooling()
    if (wait !== null)
      return isQuiet && wait.retryAtEpochMs - deps.clock.now() > QUIET_PAUSE_MS
        ? { kind: 'stall', wait }
        : undefined
    fitLanes()
    if (!refresh.isRunning()) fillSlots()
    return undefined
  }

  const ticker = startTicker(context, stopAll, alarm.ring)
  const over = new AbortController()
  const watching = AbortSignal.any([over.signal, session.signal])
  const lanes: Lanes = {
    lastNewsAtMs: watch.lastNewsAtMs,
    bytesPerSecond: watch.bytesPerSecond,
    underWay: () => running.keys(),
    isInPeace: () => context.cooling()?.reason === 'server',
    store,
    knock: async (signal) => lastUrl !== null && deps.transport.knock(lastUrl, signal),
  }
  const outage = lineIsDown(deps, input.way, lanes, watching).then(() => {
    if (!watching.aborted) context.end(stallEvent(deps, input.patience, 'network', null))
  })
  session.signal.addEventListener('abort', alarm.ring)
  input.easing.addEventListener('abort', alarm.ring)
  try {
    for (;;) {
      const next = step()
      if (next !== undefined) return next
      await alarm.next()
    }
  } finally {
    session.signal.removeEventListener('abort', alarm.ring)
    input.easing.removeEventListener('abort', alarm.ring)
    input.way.lanes = { limit: schedule.limit, narrowing: schedule.narrowing }
    stopAll()
    meter.hanging(null)
    over.abort()
    await Promise.allSettled([...tasks, ticker.stop(), outage])
  }
}
