import { isMidway, leastSent, type PartInFlight, type PartsInFlight } from './parts-in-flight.ts'
import { checkEveryMs } from './network.ts'
import type { UploadWait } from '#src/local/db/rows.ts'
import type { Clock } from '#src/lib/time.ts'
import { expectedGapMs } from './watchdog.ts'

/**
 * [Note: silent store] The server answers questions and yet no part moves a byte: then it is its
 * store that is away, or the way there. The person is told, and the store is knocked at, again and
 * again: nobody says when a store is back. Once it answers, one part is tried on a fresh connection
 * beside the hanging ones, which may never move again. Only one, so that hardly more than one part
 * is sent twice; and only then, because a dead line swallows what its buffers take, up to a whole
 * part.
 */
export interface StorageOutage {
  isOngoing(): boolean
  /**
   * Whether another part may begin now: while the store is silent only the one that tries, when its
   * time has come.
   */
  mayBegin(): boolean
  began(partNumber: number): void
  /** Bytes of a part moved; call after the book knows it. */
  moved(partNumber: number): void
  ended(partNumber: number): void
  /** The store said something of a part, and be it that it refuses. */
  answered(partNumber: number): void
  /** Whether a question to the server, and a knock at the store, is worth it now. */
  isDue(): boolean
  /** The server answered a question after `tookMs`, though nothing moves. */
  serverAnswered(tookMs: number): void
  /** So long a knock may take. */
  checkLimitMs(): number
  /** Somebody knocked at the store. */
  storageChecked(doesAnswer: boolean): void
}

export interface StorageOutageInput {
  readonly clock: Pick<Clock, 'now'>
  readonly inFlight: PartsInFlight
  /**
   * Whether this host hears of bytes; one that hears of whole parts only cannot tell silence from
   * sending.
   */
  readonly reportsProgress: boolean
  /** Whether one more part could begin beside those under network. */
  readonly hasRoom: () => boolean
  readonly bytesPerSecond: () => number | null
  /** Gives a part under way up, so that it is sent anew. */
  readonly drop: (partNumber: number) => void
  /** Tells what is waited for; null: nothing any more. */
  readonly report: (wait: UploadWait | null) => void
}

/**
 * Silence that makes the store suspicious: eight times the usual time between two pieces of news,
 * or twice the longest silence of the last minute that ended by itself (large buffers of a slow
 * line are drained in silence); 3 to 15 s.
 */
const SILENCE_MIN_MS = 3_000
const SILENCE_MAX_MS = 15_000
const REMEMBERED_MS = 60_000
/** Something between may swallow storageChecks alone. */
const UNASKED_TRY_MS = 60_000
/**
 * So long a knock or a try may move nothing: 1 s, six round trips (a connection with TLS takes
 * three), or for tries four times the usual gap.
 */
const TRY_MS = 1_000
const TRY_ROUND_TRIPS = 6
const TRY_GAPS = 4
/**
 * What a try hands over at once fills buffers; bytes that still move this much later have arrived.
 */
const PROOF_MS = 1_000
/**
 * Once a part's worth of bytes was lost in tries, another may be lost in so long; but one waits no
 * longer than the second.
 */
const PART_LOST_IN_MS = 5 * 60_000
const TRY_MAX_MS = 15_000

/** Watches over one transfer. */
export function createStorageOutage(input: StorageOutageInput): StorageOutage {
  const { inFlight, clock, drop, report } = input
  let sinceMs: number | null = null
  /** When it fell silent last, until a part that began later is answered. */
  let stalledSinceMs: number | null = null
  let attempt = 0
  let roundTripMs = 0
  let nextCheckAtMs = 0
  let triedAtMs = 0
  let triedBytes = 0
  /** A try may begin. */
  let isOpen = false
  let lostBytes = 0
  let trialLimitMs = TRY_MS
  let lastActivityAtMs = clock.now()
  let endedSilence = { silentMs: 0, atMs: clock.now() }
  let trial: { readonly partNumber: number; firstByteAtMs: number | null } | null = null

  const quietMs = (part: PartInFlight): number => clock.now() - part.lastActivityAtMs
  const gapMs = (): number => expectedGapMs(input.bytesPerSecond(), 1) ?? 0
  const trialPart = (): PartInFlight | undefined =>
    inFlight.all().find(({ partNumber }) => partNumber === trial?.partNumber)
  const isStalled = (): boolean => {
    const parts = inFlight.all()
    const usualMs = clock.now() - endedSilence.atMs < REMEMBERED_MS ? 2 * endedSilence.silentMs : 0
    const silenceMs = Math.min(SILENCE_MAX_MS, Math.max(SILENCE_MIN_MS, 8 * gapMs(), usualMs))
    return (
      input.reportsProgress &&
      parts.some(isMidway) &&
      parts.every((part) => part.begunAtMs !== null && quietMs(part) >= silenceMs)
    )
  }
  /**
   * A try that handed all of it over waits for its answer; the part's own watchdog looks after it.
   */
  const hasTrialFailed = (): boolean => {
    const part = trialPart()
    return part !== undefined && isMidway(part) && quietMs(part) >= trialLimitMs
  }
  const checkLimitMs = (): number => Math.max(TRY_MS, TRY_ROUND_TRIPS * roundTripMs)
  const limitOfTrial = (): number => {
    const baseMs = Math.max(checkLimitMs(), TRY_GAPS * gapMs())
    const partBytes = Math.max(1, ...inFlight.all().map(({ sizeBytes }) => sizeBytes))
    return lostBytes < partBytes
      ? baseMs
      : Math.max(baseMs, Math.min(TRY_MAX_MS, (triedBytes / partBytes) * PART_LOST_IN_MS))
  }
  /** A part that began before the silence moves again. */
  const rememberSilence = (part: PartInFlight): void => {
    const nowMs = clock.now()
    const silentMs = nowMs - lastActivityAtMs
    const wasLonger =
      silentMs >= endedSilence.silentMs || nowMs - endedSilence.atMs >= REMEMBERED_MS
    if (wasLonger && part.begunAtMs !== null && part.begunAtMs < lastActivityAtMs)
      endedSilence = { silentMs, atMs: nowMs }
    lastActivityAtMs = nowMs
  }
  const reportWait = (forMs: number): void =>
    report({ reason: 'store', retryAtEpochMs: clock.now() + forMs, attempt })
  const over = (): void => {
    if (sinceMs === null) return
    sinceMs = null
    trial = null
    report(null)
  }
  /** New connections work: those from before need not hang until their watchdogs bite. */
  const dropStalled = (isMeant: (part: PartInFlight) => boolean): void => {
    for (const part of inFlight.all())
      if (stalledSinceMs !== null && part.lastActivityAtMs < stalledSinceMs && isMeant(part))
        drop(part.partNumber)
  }

  return {
    isOngoing: () => sinceMs !== null,
    mayBegin: () => sinceMs === null || isOpen,
    began: (partNumber) => {
      if (sinceMs === null) return
      trial = { partNumber, firstByteAtMs: null }
      triedBytes = 0
      isOpen = false
    },
    moved: (partNumber) => {
      const part = inFlight.all().find((each) => each.partNumber === partNumber)
      if (part === undefined) return
      if (trial?.partNumber !== partNumber) rememberSilence(part)
      if (sinceMs === null) return
      // A connection from before moves again: the others will, too.
      if (trial?.partNumber !== partNumber) return over()
      triedBytes = part.sentBytes
      trial.firstByteAtMs ??= clock.now()
      if (clock.now() - trial.firstByteAtMs < PROOF_MS) return
      over()
      dropStalled(isMidway)
    },
    ended: (partNumber) => {
      if (trial?.partNumber === partNumber) trial = null
    },
    answered: (partNumber) => {
      over()
      const part = inFlight.all().find((each) => each.partNumber === partNumber)
      if (
        stalledSinceMs === null ||
        part === undefined ||
        part.begunAtMs === null ||
        part.begunAtMs < stalledSinceMs
      )
        return
      // Also those that were handed over whole: who answers this one has forgotten them.
      dropStalled((old) => old.begunAtMs !== null)
      stalledSinceMs = null
    },
    isDue: () =>
      sinceMs === null
        ? isStalled()
        : clock.now() >= nextCheckAtMs &&
          (trial === null ? !isOpen || !input.hasRoom() : hasTrialFailed()),
    checkLimitMs,
    serverAnswered: (tookMs) => {
      roundTripMs = tookMs
      if (sinceMs !== null || !isStalled()) return
      sinceMs = clock.now()
      stalledSinceMs = sinceMs
      triedAtMs = sinceMs
      attempt = 0
      lostBytes = 0
      triedBytes = 0
      isOpen = false
      reportWait(checkEveryMs(0))
    },
    storageChecked: (doesAnswer) => {
      if (sinceMs === null || (trial !== null && !hasTrialFailed())) return
      attempt += 1
      nextCheckAtMs = clock.now() + checkEveryMs(attempt)
      if (!doesAnswer && clock.now() - triedAtMs < UNASKED_TRY_MS)
        return reportWait(nextCheckAtMs - clock.now())
      const tried = trialPart()
      lostBytes += triedBytes
      trialLimitMs = limitOfTrial()
      triedAtMs = clock.now()
      isOpen = true
      reportWait(trialLimitMs)
      const given =
        tried ?? (input.hasRoom() ? undefined : leastSent(inFlight.all().filter(isMidway)))
      if (given !== undefined) drop(given.partNumber)
    },
  }
}
