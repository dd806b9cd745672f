import { isMidway, leastSent, type PartInFlight, type PartsInFlight } from './parts-in-flight.ts'
import { checkEveryMs } from './network.ts'
import type { UploadWait } from '#src/local/db/rows.ts'
import type { Clock } from '#src/lib/time.ts'
import { expectedGapMs } from './watchdog.ts'

/**
 * [Note: storage outage] The server answers and yet no part moves a byte: its storage is away, or
 * the network between this device and the storage. The screen says so, and the storage is checked
 * again and again, because no event reports that a storage is back. Once it answers, one part is
 * tried on a fresh connection beside the stalled ones, which may never move again. Only one part,
 * so that hardly more than one is sent twice; and only after an answer, because a dead connection
 * swallows what its buffers take, up to a whole part.
 */
export interface StorageOutage {
  isOngoing(): boolean
  /**
   * Whether another part may start now. During an outage that is only the trial, when its time has
   * come.
   */
  mayBegin(): boolean
  began(partNumber: number): void
  /** Bytes of a part moved; call after `PartsInFlight` knows them. */
  moved(partNumber: number): void
  ended(partNumber: number): void
  /** The storage answered a part, even with a refusal. */
  answered(partNumber: number): void
  /** Whether a reachability check and a storage check are worth it now. */
  isDue(): boolean
  /** A reachability check was answered after `tookMs`, though nothing moves. */
  serverAnswered(tookMs: number): void
  /** How long a storage check may take. */
  checkLimitMs(): number
  /** A storage check is over. */
  storageChecked(doesAnswer: boolean): void
}

export interface StorageOutageInput {
  readonly clock: Pick<Clock, 'now'>
  readonly inFlight: PartsInFlight
  /**
   * Whether this host's transport reports bytes. One that reports whole parts only cannot
   * distinguish silence from sending.
   */
  readonly reportsProgress: boolean
  /** Whether one more part could start beside those in flight. */
  readonly hasRoom: () => boolean
  readonly bytesPerSecond: () => number | null
  /** Drops an attempt, so that its part is sent again. */
  readonly drop: (partNumber: number) => void
  /** Reports what the transfer waits for; null when it waits no longer. */
  readonly report: (wait: UploadWait | null) => void
}

/**
 * Silence that raises suspicion: eight times the usual time between two progress events, or twice
 * the longest silence of the last minute that ended without help (large buffers of a slow network
 * drain silently); 3 to 15 s.
 */
const SILENCE_MIN_MS = 3_000
const SILENCE_MAX_MS = 15_000
const REMEMBERED_MS = 60_000
/**
 * A proxy may swallow the storage checks alone: after this time a part is tried without an answer.
 */
const UNASKED_TRY_MS = 60_000
/**
 * How long a storage check or a trial may move no byte: 1 s, or six round trips (a connection with
 * TLS takes three), for trials also four times the usual gap.
 */
const TRY_MS = 1_000
const TRY_ROUND_TRIPS = 6
const TRY_GAPS = 4
/**
 * The first bytes of a trial only fill buffers; bytes that still move this much later have arrived.
 */
const PROOF_MS = 1_000
/**
 * Once trials have lost a part's worth of bytes, the next such loss may take this long; but no
 * trial waits longer than TRY_MAX_MS.
 */
const PART_LOST_IN_MS = 5 * 60_000
const TRY_MAX_MS = 15_000

/** A watch over one transfer. */
export function createStorageOutage(input: StorageOutageInput): StorageOutage {
  const { inFlight, clock, drop, report } = input
  let sinceMs: number | null = null
  /** Start of the last silence, until a part that started later is answered. */
  let stalledSinceMs: number | null = null
  let attempt = 0
  let roundTripMs = 0
  let nextCheckAtMs = 0
  let triedAtMs = 0
  let triedBytes = 0
  /** A trial may start. */
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
   * A trial that handed over all its bytes waits for its answer; the part's own watchdog covers it.
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
  /** A part that started before the silence moves again. */
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
  /** New connections work: drop the ones from before now, rather than wait for their watchdogs. */
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
      // A connection from before moves again, so the others will too.
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
      // Includes parts that were handed over whole: a storage that answers this part has forgotten
      // them.
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
