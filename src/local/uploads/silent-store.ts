import { isMidway, leastSent, type Lane, type LaneBook } from './lanes.ts'
import { askEveryMs } from './line.ts'
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
export interface SilentStore {
  isSilent(): boolean
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
  knockLimitMs(): number
  /** Somebody knocked at the store. */
  knocked(doesAnswer: boolean): void
}

export interface SilentStoreInput {
  readonly clock: Pick<Clock, 'now'>
  readonly book: LaneBook
  /**
   * Whether this host hears of bytes; one that hears of whole parts only cannot tell silence from
   * sending.
   */
  readonly isHeard: boolean
  /** Whether one more part could begin beside those under way. */
  readonly hasRoom: () => boolean
  readonly bytesPerSecond: () => number | null
  /** Gives a part under way up, so that it is sent anew. */
  readonly drop: (partNumber: number) => void
  /** Tells what is waited for; null: nothing any more. */
  readonly tell: (wait: UploadWait | null) => void
}

/**
 * Silence that makes the store suspicious: eight times the usual time between two pieces of news,
 * or twice the longest silence of the last minute that ended by itself (large buffers of a slow
 * line are drained in silence); 3 to 15 s.
 */
const SILENCE_MIN_MS = 3_000
const SILENCE_MAX_MS = 15_000
const REMEMBERED_MS = 60_000
/** Something between may swallow knocks alone. */
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
export function createSilentStore(input: SilentStoreInput): SilentStore {
  const { book, clock, drop, tell } = input
  let sinceMs: number | null = null
  /** When it fell silent last, until a part that began later is answered. */
  let hungSinceMs: number | null = null
  let attempt = 0
  let askMs = 0
  let nextKnockAtMs = 0
  let triedAtMs = 0
  let triedBytes = 0
  /** A try may begin. */
  let isOpen = false
  let lostBytes = 0
  let patienceMs = TRY_MS
  let newsAtMs = clock.now()
  let outlived = { silentMs: 0, atMs: clock.now() }
  let trial: { readonly partNumber: number; firstNewsAtMs: number | null } | null = null

  const quietMs = (lane: Lane): number => clock.now() - lane.newsAtMs
  const gapMs = (): number => expectedGapMs(input.bytesPerSecond(), 1) ?? 0
  const trialLane = (): Lane | undefined =>
    book.all().find(({ partNumber }) => partNumber === trial?.partNumber)
  const doesHang = (): boolean => {
    const lanes = book.all()
    const usualMs = clock.now() - outlived.atMs < REMEMBERED_MS ? 2 * outlived.silentMs : 0
    const silenceMs = Math.min(SILENCE_MAX_MS, Math.max(SILENCE_MIN_MS, 8 * gapMs(), usualMs))
    return (
      input.isHeard &&
      lanes.some(isMidway) &&
      lanes.every((lane) => lane.begunAtMs !== null && quietMs(lane) >= silenceMs)
    )
  }
  /**
   * A try that handed all of it over waits for its answer; the part's own watchdog looks after it.
   */
  const isTrialVain = (): boolean => {
    const lane = trialLane()
    return lane !== undefined && isMidway(lane) && quietMs(lane) >= patienceMs
  }
  const knockLimitMs = (): number => Math.max(TRY_MS, TRY_ROUND_TRIPS * askMs)
  const patience = (): number => {
    const baseMs = Math.max(knockLimitMs(), TRY_GAPS * gapMs())
    const partBytes = Math.max(1, ...book.all().map(({ sizeBytes }) => sizeBytes))
    return lostBytes < partBytes
      ? baseMs
      : Math.max(baseMs, Math.min(TRY_MAX_MS, (triedBytes / partBytes) * PART_LOST_IN_MS))
  }
  /** A part that began before the silence moves again. */
  const learn = (lane: Lane): void => {
    const nowMs = clock.now()
    const silentMs = nowMs - newsAtMs
    const wasLonger = silentMs >= outlived.silentMs || nowMs - outlived.atMs >= REMEMBERED_MS
    if (wasLonger && lane.begunAtMs !== null && lane.begunAtMs < newsAtMs)
      outlived = { silentMs, atMs: nowMs }
    newsAtMs = nowMs
  }
  const wait = (forMs: number): void =>
    tell({ reason: 'store', retryAtEpochMs: clock.now() + forMs, attempt })
  const over = (): void => {
    if (sinceMs === null) return
    sinceMs = null
    trial = null
    tell(null)
  }
  /** New connections work: those from before need not hang until their watchdogs bite. */
  const replaceOld = (isMeant: (lane: Lane) => boolean): void => {
    for (const lane of book.all())
      if (hungSinceMs !== null && lane.newsAtMs < hungSinceMs && isMeant(lane))
        drop(lane.partNumber)
  }

  return {
    isSilent: () => sinceMs !== null,
    mayBegin: () => sinceMs === null || isOpen,
    began: (partNumber) => {
      if (sinceMs === null) return
      trial = { partNumber, firstNewsAtMs: null }
      triedBytes = 0
      isOpen = false
    },
    moved: (partNumber) => {
      const lane = book.all().find((each) => each.partNumber === partNumber)
      if (lane === undefined) return
      if (trial?.partNumber !== partNumber) learn(lane)
      if (sinceMs === null) return
      // A connection from before moves again: the others will, too.
      if (trial?.partNumber !== partNumber) return over()
      triedBytes = lane.sentBytes
      trial.firstNewsAtMs ??= clock.now()
      if (clock.now() - trial.firstNewsAtMs < PROOF_MS) return
      over()
      replaceOld(isMidway)
    },
    ended: (partNumber) => {
      if (trial?.partNumber === partNumber) trial = null
    },
    answered: (partNumber) => {
      over()
      const lane = book.all().find((each) => each.partNumber === partNumber)
      if (
        hungSinceMs === null ||
        lane === undefined ||
        lane.begunAtMs === null ||
        lane.begunAtMs < hungSinceMs
      )
        return
      // Also those that were handed over whole: who answers this one has forgotten them.
      replaceOld((old) => old.begunAtMs !== null)
      hungSinceMs = null
    },
    isDue: () =>
      sinceMs === null
        ? doesHang()
        : clock.now() >= nextKnockAtMs &&
          (trial === null ? !isOpen || !input.hasRoom() : isTrialVain()),
    knockLimitMs,
    serverAnswered: (tookMs) => {
      askMs = tookMs
      if (sinceMs !== null || !doesHang()) return
      sinceMs = clock.now()
      hungSinceMs = sinceMs
      triedAtMs = sinceMs
      attempt = 0
      lostBytes = 0
      triedBytes = 0
      isOpen = false
      wait(askEveryMs(0))
    },
    knocked: (doesAnswer) => {
      if (sinceMs === null || (trial !== null && !isTrialVain())) return
      attempt += 1
      nextKnockAtMs = clock.now() + askEveryMs(attempt)
      if (!doesAnswer && clock.now() - triedAtMs < UNASKED_TRY_MS)
        return wait(nextKnockAtMs - clock.now())
      const tried = trialLane()
      lostBytes += triedBytes
      patienceMs = patience()
      triedAtMs = clock.now()
      isOpen = true
      wait(patienceMs)
      const given = tried ?? (input.hasRoom() ? undefined : leastSent(book.all().filter(isMidway)))
      if (given !== undefined) drop(given.partNumber)
    },
  }
}
