import { createLeaseRunner, type LeaseEnd } from './lease.ts'
import type { UploadEvent } from './machine.ts'
import type { PartUrl } from './part-urls.ts'
import { endsFirst, missingParts, partSize } from './plan.ts'
import { lineIsDown, type Lanes } from './outage.ts'
import { apiProblemEvent, stallEvent } from './problems.ts'
import { createSchedule, isDrained, settleAgain, settleKnown, settleSafe, takeLease, type Schedule } from './scheduler.ts'
import { createTransferContext, type TransferContext, type TransferInput } from './transfer-context.ts'
import { isAbort } from '#src/lib/abort.ts'

const TICK_MS = 1_000
/** A tick this late means that the computer slept or the clock was set: connections are dead, whatever they say. */
const CLOCK_JUMP_MS = 10_000
/** A pause shorter than this is not worth a state of its own. */
const QUIET_PAUSE_MS = 2_000

/**
 * Sends the missing parts, five at most at a time, until nothing is left or something stands in the way, and says which as an
 * event for the machine; null when the session ended or was told to ease off. All its requests are over when it resolves.
 */
export async function transferParts(input: TransferInput): Promise<UploadEvent | null> {
  const { deps, session, urls, meter } = input
  const running = new Map<number, AbortController>()
  const tasks = new Set<Promise<void>>()
  const alarm = createAlarm()
  const stopAll = (): void => { for (const controller of running.values()) controller.abort() }
  let lastNewsAtMs = deps.clock.now()
  const hear = (): void => { lastNewsAtMs = deps.clock.now() }
  const heard = { ...meter, sent: (partNumber: number, sentBytes: number): void => { hear(); meter.sent(partNumber, sentBytes) } }
  const context = createTransferContext({ ...input, meter: heard }, () => running.size, (event) => {
    // Parts under way need no session: after a 401 they may finish.
    if (event.kind !== 'auth-lost') stopAll()
    alarm.ring()
  })
  let schedule: Schedule = createSchedule(endsFirst(input.plan, missingParts(input.plan, new Set(session.safeParts().keys()))), deps.firstLanes)
  const refresh = createRefresh(context, (partNumber) => {
    if (running.has(partNumber)) return false
    schedule = settleKnown(schedule, partNumber)
    return true
  }, alarm.ring)
  const runLease = createLeaseRunner(context, refresh.run)

  const launch = (partNumber: number, url: PartUrl): void => {
    const controller = new AbortController()
    running.set(partNumber, controller)
    hear()
    const settle = (end: LeaseEnd): void => {
      running.delete(partNumber)
      hear()
      meter.ended(partNumber)
      schedule = end.kind === 'safe' ? settleSafe(schedule, partNumber, end.tookMs) : settleAgain(schedule, partNumber, end.losesSlot)
      alarm.ring()
    }
    const task = runLease(partNumber, url, AbortSignal.any([controller.signal, session.signal])).then(settle, (thrown: unknown) => {
      settle({ kind: 'again', losesSlot: false })
      if (isAbort(thrown)) return
      deps.log.error('a part ended unexpectedly', { name: thrown instanceof Error ? thrown.name : 'unknown' })
      context.end({ kind: 'fail', code: 'upload/unexpected', message: null })
    }).finally(() => tasks.delete(task))
    tasks.add(task)
  }

  const fillSlots = (): void => {
    for (;;) {
      const lease = takeLease(schedule)
      if (lease === null) return
      const url = urls.get(lease.partNumber, deps.clock.now())
      if (url === null) {
        const { partNumber } = lease
        // A server that names no URL for a part it lacks must not be asked in a loop.
        void refresh.run().then((didAnswer) => { if (didAnswer && urls.get(partNumber, deps.clock.now()) === null) context.coolDown('server', null) })
        return
      }
      schedule = lease.schedule
      launch(lease.partNumber, url)
    }
  }

  /** What the loop does now; undefined means: wait for news. */
  const step = (): UploadEvent | null | undefined => {
    if (session.signal.aborted) return null
    const isQuiet = running.size === 0 && !refresh.isRunning()
    const ending = context.ending()
    if (ending !== null) return isQuiet ? ending : undefined
    if (isDrained(schedule)) return isQuiet ? { kind: 'all-safe' } : undefined
    if (input.easing.aborted) return isQuiet ? null : undefined
    const wait = context.cooling()
    if (wait !== null) return isQuiet && wait.retryAtEpochMs - deps.clock.now() > QUIET_PAUSE_MS ? { kind: 'stall', wait } : undefined
    if (!refresh.isRunning()) fillSlots()
    return undefined
  }

  const ticker = startTicker(context, stopAll, alarm.ring)
  const over = new AbortController()
  const watch = AbortSignal.any([over.signal, session.signal])
  const lanes: Lanes = {
    lastNewsAtMs: () => lastNewsAtMs, bytesPerSecond: () => meter.bytesPerSecond(), underWay: () => running.keys(),
    isInPeace: () => context.cooling()?.reason === 'server',
  }
  const outage = lineIsDown(deps, input.way, lanes, watch).then(() => { if (!watch.aborted) context.end(stallEvent(deps, input.patience, 'network', null)) })
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
    stopAll()
    over.abort()
    await Promise.allSettled([...tasks, ticker.stop(), outage])
  }
}

/** One call at a time, outside the part slots: fresh URLs, and parts that turn out to be stored. */
function createRefresh(context: TransferContext, isFree: (partNumber: number) => boolean, ring: () => void): { run(): Promise<boolean>; isRunning(): boolean } {
  let current: Promise<boolean> | null = null
  const ask = async (): Promise<boolean> => {
    const { deps, session, plan } = context
    const answer = await deps.api.read(session.row().uploadRequestId ?? '', session.signal)
    if (session.signal.aborted) return false
    if (!answer.ok) {
      if (answer.error.kind === 'silent') context.coolDown('network', null)
      else if (answer.error.kind === 'busy') context.coolDown('server', answer.error.retryAfterMs)
      else context.end(apiProblemEvent(deps, context.patience, answer.error))
      return false
    }
    if (answer.value.state !== 'open') {
      context.end({ kind: answer.value.state === 'aborted' ? 'gone' : 'completed' })
      return false
    }
    context.urls.fill(answer.value, deps.clock.now())
    for (const part of answer.value.parts) {
      if (part.eTag === null || part.partNumber > plan.partCount || part.storedBytes !== partSize(plan, part.partNumber)) continue
      if (session.safeParts().has(part.partNumber) || !isFree(part.partNumber)) continue
      await session.confirmPart({ partNumber: part.partNumber, eTag: part.eTag, sizeBytes: part.storedBytes, sha256: '' })
    }
    return true
  }
  return {
    run: () => {
      current ??= ask().finally(() => {
        current = null
        ring()
      })
      return current
    },
    isRunning: () => current !== null,
  }
}

/** Looks once a second at the clock: redraws progress, and drops all leases after a sleep. */
function startTicker(context: TransferContext, stopAll: () => void, ring: () => void): { stop(): Promise<void> } {
  const { clock } = context.deps
  const off = new AbortController()
  const loop = async (): Promise<void> => {
    for (let lastMs = clock.now(); ;) {
      await clock.sleep(TICK_MS, off.signal)
      const nowMs = clock.now()
      if (Math.abs(nowMs - lastMs - TICK_MS) > CLOCK_JUMP_MS) {
        stopAll()
        context.thaw()
        context.meter.interrupted()
      }
      lastMs = nowMs
      context.meter.tick(context.session.row().safeBytes, context.session.isUnsaved())
      ring()
    }
  }
  // The only way out is the abort.
  const done = loop().catch(() => undefined)
  return {
    stop: () => {
      off.abort()
      return done
    },
  }
}

/** Wakes the loop; a ring between two waits is not lost. */
function createAlarm(): { ring: () => void; next(): Promise<void> } {
  let bell = Promise.withResolvers<void>()
  return {
    ring: () => bell.resolve(),
    next: async () => {
      await bell.promise
      bell = Promise.withResolvers<void>()
    },
  }
}
