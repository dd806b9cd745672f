/**
 * Sends the parts of one upload: which is next, what a failure means, when to wait. It is one file
 * because each answer changes what all slots do next.
 */
import { isFull } from './answers.ts'
import { hashOf, hold, runAttempt, type AttemptEnd } from './attempt.ts'
import { endedAtServer } from './ended-at-server.ts'
import { newNotes, type PartNotes } from './part-notes.ts'
import type { PartUrl, PartUrls } from './part-urls.ts'
import type { PieceSize } from './pieces.ts'
import type { ProgressMeter } from './progress-meter.ts'
import { MULTIPART_CONCURRENT_PARTS } from '#spec/numbers.ts'
import { isAbort } from '#src/lib/abort.ts'
import { ok } from '#src/lib/result.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { PartPlan, UploadWait } from '#src/local/db/rows.ts'
import type { PartHashes } from '#src/local/uploads/file/part-hashes.ts'
import { uploadDelayMs } from '#src/local/uploads/model/backoff.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { endsFirst } from '#src/local/uploads/model/plan.ts'
import {
  apiProblemEvent,
  backOffEvent,
  because,
  type Retries,
  type WaitCause,
} from '#src/local/uploads/model/problems.ts'
import type { UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import { LIMITS } from '#src/local/uploads/network/reachability.ts'
import type { HeldLook, ReachWatch } from '#src/local/uploads/network/watch.ts'
import { expectedGapMs } from '#src/local/uploads/network/watchdog.ts'
import type {
  ByteSource,
  PutOutcome,
  UploadApiProblem,
  UploadDeps,
} from '#src/local/uploads/ports.ts'

/** The most parts at once, over all uploads of the account on this device. */
export const MAX_SLOTS = MULTIPART_CONCURRENT_PARTS
/** A shorter pause gets no state of its own. */
const QUIET_PAUSE_MS = 2_000
/**
 * A look this late means that the computer slept or the clock was changed: connections are dead,
 * even if they look open.
 */
const CLOCK_JUMP_MS = 10_000
/** The row and the unsaved writes follow this often. */
const SAVE_EVERY_MS = 1_000
/**
 * After this many failures in a row, of whatever parts, the fault is not one part's: one of the
 * parts that failed is tried at a time, and no whole round is sent into the same wall.
 */
const SHARED_FAULT = 3
/** URLs asked for at once. */
const URLS_AHEAD = 50
/** The same where their parts are hashed first: what the fastest networks send in a moment. */
const HASHED_AHEAD = 10

/** What one driver keeps over all its transfers. */
export interface TransferInput {
  readonly deps: UploadDeps
  readonly claim: UploadClaim
  readonly plan: PartPlan
  readonly isResumable: boolean
  /** Whether a part gets its URL only with its hash. */
  readonly urlsNeedChecksums: boolean
  readonly source: ByteSource
  readonly hashes: PartHashes
  readonly urls: PartUrls
  readonly notes: Map<number, PartNotes>
  readonly pieces: PieceSize
  readonly retries: Retries
  readonly faults: { failedConnects: number; unanswered: number; silentFirstParts: number }
  readonly meter: ProgressMeter
  readonly reach: ReachWatch
  /** Every part that is not safe yet is hashed: what changes in the file now is in no part. */
  readonly allHashed: () => void
  /** After its abort no further part starts; attempts in flight may end. */
  readonly draining: AbortSignal
}

/** What an attempt uses of its transfer. */
export interface TransferContext extends TransferInput {
  readonly partsInFlight: () => number
  /** A part was read and hashed. */
  readonly hashed: () => void
  /** Ends the transfer; the first reason counts. */
  readonly end: (event: UploadEvent) => void
  readonly sent: (partNumber: number, sentBytes: number) => void
  /** The server holds more of some part than before. */
  readonly progressed: () => void
  readonly answered: (partNumber: number, outcome: PutOutcome) => void
  /**
   * Asks the server whether the upload is still open; ends the transfer if not. Resolves with what
   * to wait for when there was no usable answer, else null.
   */
  readonly askApi: () => Promise<WaitCause | null>
}

interface Running {
  readonly controller: AbortController
  lastActivityAtMs: number
  /** What the server held of the part when it was asked during this attempt; null before. */
  seen: { readonly heldBytes: number; readonly atMs: number } | null
}

/**
 * Sends the missing parts, at most five at a time, until none is left or an obstacle appears.
 * Returns that as an event for the machine; null when the claim ended or the engine drains. All its
 * requests have ended when it resolves.
 */
export async function transferParts(input: TransferInput): Promise<UploadEvent | null> {
  return await new Transfer(input).run()
}

class Transfer {
  readonly #input: TransferInput
  readonly #context: TransferContext
  readonly #running = new Map<number, Running>()
  readonly #tasks = new Set<Promise<void>>()
  readonly #bell = createBell()
  #pending: readonly number[]
  #slots: number
  /** Attempts in a row without progress, over all parts, and how long all parts wait for it. */
  #failures = { inARow: 0, holdUntilMs: 0 }
  #ending: UploadEvent | null = null
  /** Of a stalled upload; null when none may begin. */
  #trial: { readonly partNumber: number | null } | null = null
  #isFetchingUrls = false
  /** What the last call for URLs failed with; null after a good one. */
  #urlsProblem: { readonly cause: WaitCause; readonly untilMs: number } | null = null

  constructor(input: TransferInput) {
    this.#input = input
    this.#slots = input.deps.firstSlots
    this.#pending = endsFirst(input.plan, input.claim.parts.missing(input.plan))
    // A person, or the end of a wait, began this transfer: every part may be tried now.
    for (const notes of input.notes.values()) notes.notBeforeMs = 0
    this.#context = {
      ...input,
      partsInFlight: () => this.#running.size,
      hashed: () => {
        const isLast = Array.from(this.#running.keys()).every(
          (partNumber) => this.#notesOf(partNumber).sha256 !== null,
        )
        if (isLast && this.#pending.length === 0) input.allHashed()
      },
      end: (event) => this.#end(event),
      sent: (partNumber, sentBytes) => this.#sent(partNumber, sentBytes),
      progressed: () => {
        this.#failures = { inARow: 0, holdUntilMs: 0 }
      },
      answered: (partNumber, outcome) => this.#answered(partNumber, outcome),
      askApi: () => this.#askApi(),
    }
  }

  async run(): Promise<UploadEvent | null> {
    const { claim, draining, reach, meter } = this.#input
    const over = new AbortController()
    const watching = AbortSignal.any([over.signal, claim.signal])
    const watch = Promise.all([
      reach.watch(
        {
          quietMs: () => this.#quietMs(),
          gapMs: () => expectedGapMs(meter.bytesPerSecond(), 1),
          dropLongest: () => this.#dropLongest(),
          dropTrial: () => this.#dropTrial(),
          dropSilent: (sinceMs) => this.#dropSilent(sinceMs),
          giveUp: () => this.#end(this.#backOff(because('network'))),
          beginOne: () => {
            this.#trial = { partNumber: null }
            this.#bell.ring()
          },
          lookAtHeld: (signal) => this.#lookAtHeld(signal),
        },
        watching,
      ),
      this.#tick(watching),
    ])
    claim.signal.addEventListener('abort', this.#bell.ring)
    draining.addEventListener('abort', this.#bell.ring)
    try {
      for (;;) {
        const next = this.#step()
        if (next !== undefined) return next
        await this.#bell.next()
      }
    } finally {
      claim.signal.removeEventListener('abort', this.#bell.ring)
      draining.removeEventListener('abort', this.#bell.ring)
      this.#stopAll()
      meter.waits(null)
      over.abort()
      await Promise.allSettled([...this.#tasks, watch])
    }
  }

  /** What the loop does next; undefined means that it waits for the next ring. */
  #step(): UploadEvent | null | undefined {
    const { claim, draining } = this.#input
    if (claim.signal.aborted) return null
    const isQuiet = this.#tasks.size === 0
    if (this.#ending !== null) return isQuiet ? this.#ending : undefined
    if (this.#pending.length === 0 && this.#running.size === 0)
      return isQuiet ? { kind: 'all-safe' } : undefined
    if (draining.aborted) return isQuiet ? null : undefined
    this.#fillSlots()
    return this.#tasks.size === 0 ? this.#pause() : undefined
  }

  #fillSlots(): void {
    const { reach, hashes } = this.#input
    while (this.#running.size < this.#slotsNow() && (reach.mayBegin() || this.#mayBeginTrial())) {
      const partNumber = this.#nextPart()
      if (partNumber === null) break
      const url = this.#input.urls.get(partNumber, this.#nowMs())
      if (url === null && !this.#input.claim.parts.unproven().has(partNumber))
        return this.#fetchUrls()
      this.#trial = reach.mayBegin() ? null : { partNumber }
      this.#launch(partNumber, url)
    }
    this.#fetchUrlsAhead()
    hashes.ahead(
      this.#pending
        .filter((partNumber) => this.#notesOf(partNumber).sha256 === null)
        .slice(0, this.#slots),
    )
  }

  #slotsNow(): number {
    return this.#failures.inARow < SHARED_FAULT ? this.#slots : 1
  }

  /** The next part whose wait is over; null when there is none. */
  #nextPart(): number | null {
    const nowMs = this.#nowMs()
    const isShared = this.#failures.inARow >= SHARED_FAULT
    if (isShared && nowMs < this.#failures.holdUntilMs) return null
    const ready = (partNumber: number): boolean => {
      const { notBeforeMs, cause } = this.#notesOf(partNumber)
      return notBeforeMs <= nowMs && (!isShared || cause !== null)
    }
    return this.#pending.find(ready) ?? null
  }

  /**
   * All parts wait: a short pause is said beside the state 'uploading', a long one is a state of
   * its own.
   */
  #pause(): UploadEvent | undefined {
    if (!this.#input.reach.mayBegin()) return undefined
    const waiting = this.#pending
      .map((partNumber) => this.#notesOf(partNumber))
      .toSorted((a, b) => a.notBeforeMs - b.notBeforeMs)
    const soonest = waiting[0]?.notBeforeMs ?? 0
    const first = waiting.find(({ cause }) => cause !== null)
    const untilMs = Math.max(
      soonest,
      this.#urlsProblem?.untilMs ?? 0,
      this.#failures.inARow < SHARED_FAULT ? 0 : this.#failures.holdUntilMs,
    )
    const cause = this.#urlsProblem?.cause ?? first?.cause
    if (cause === undefined || cause === null || untilMs <= this.#nowMs()) return undefined
    const wait: UploadWait = {
      reason: cause.reason,
      ...(cause.code === undefined ? {} : { code: cause.code }),
      retryAtEpochMs: untilMs,
      attempt: first?.failedInARow ?? 1,
    }
    this.#input.meter.waits(wait)
    return untilMs - this.#nowMs() > QUIET_PAUSE_MS ? { kind: 'back-off', wait } : undefined
  }

  #launch(partNumber: number, url: PartUrl | null): void {
    const { deps, claim } = this.#input
    const controller = new AbortController()
    this.#pending = this.#pending.filter((pending) => pending !== partNumber)
    this.#running.set(partNumber, {
      controller,
      lastActivityAtMs: this.#nowMs(),
      seen: null,
    })
    const task = runAttempt(
      this.#context,
      this.#notesOf(partNumber),
      url,
      AbortSignal.any([controller.signal, claim.signal]),
    )
      .catch((thrown: unknown): AttemptEnd => {
        if (isAbort(thrown)) this.#notesOf(partNumber).mustAsk = true
        else {
          deps.log.error('a part ended unexpectedly', describeBug(thrown))
          this.#end({ kind: 'fail', code: 'upload/unexpected', message: null })
        }
        return { kind: 'again', cause: null, losesSlot: false }
      })
      .then((end) => this.#settle(partNumber, end))
      .finally(() => {
        this.#tasks.delete(task)
        this.#bell.ring()
      })
    this.#tasks.add(task)
  }

  /** A part goes back to its place in the order of sending, unless it is stored. */
  #settle(partNumber: number, end: AttemptEnd): void {
    const { deps, meter, notes: allNotes, plan } = this.#input
    this.#running.delete(partNumber)
    meter.ended(partNumber)
    if (end.kind === 'stored') {
      allNotes.delete(partNumber)
      this.#failures = { inARow: 0, holdUntilMs: 0 }
      this.#slots = Math.min(Math.max(this.#slots, 1) + 1, MAX_SLOTS)
      return
    }
    if (end.losesSlot) this.#slots = Math.max(1, this.#slots - 1)
    const notes = this.#notesOf(partNumber)
    notes.cause = end.cause
    if (end.cause !== null) {
      notes.failedInARow += 1
      notes.notBeforeMs =
        this.#nowMs() + uploadDelayMs(notes.failedInARow, deps.random(), end.cause.retryAfterMs)
      this.#failures = {
        inARow: this.#failures.inARow + 1,
        holdUntilMs: Math.max(this.#failures.holdUntilMs, notes.notBeforeMs),
      }
    }
    this.#pending = endsFirst(
      plan,
      [...this.#pending, partNumber].toSorted((a, b) => a - b),
    )
  }

  #sent(partNumber: number, sentBytes: number): void {
    const running = this.#running.get(partNumber)
    if (running !== undefined) running.lastActivityAtMs = this.#nowMs()
    this.#input.meter.sent(partNumber, sentBytes)
    if (sentBytes > 0) this.#input.reach.moved()
  }

  #answered(partNumber: number, outcome: PutOutcome): void {
    const running = this.#running.get(partNumber)
    if (running !== undefined) running.lastActivityAtMs = this.#nowMs()
    // A full storage is no silent one: what it says is said to the person.
    if (outcome.kind === 'answer' && (outcome.isOwn || isFull(outcome))) this.#input.reach.moved()
    else this.#input.reach.trialFailed()
    if (this.#input.reach.state().kind === 'stalled') this.#sayStalled()
  }

  /** Said only after a trial has failed: most dead connections are replaced within a second. */
  #sayStalled(): void {
    this.#input.meter.waits({
      reason: 'store',
      retryAtEpochMs: this.#nowMs() + LIMITS.trial.againMs,
      attempt: 1,
    })
  }

  #quietMs(): number {
    const last = Array.from(this.#running.values(), (running) => running.lastActivityAtMs)
    return last.length === 0 ? 0 : Math.max(0, this.#nowMs() - Math.max(...last))
  }

  /**
   * The first answer of an attempt is only remembered: what is held may be of an older version of
   * the part. What comes later is of this attempt, and safe.
   */
  async #lookAtHeld(signal: AbortSignal): Promise<HeldLook> {
    const { deps, claim, isResumable } = this.#input
    const { uploadRequestId } = claim.row()
    if (!isResumable || uploadRequestId === null) return 'unknown'
    const answer = await deps.api.heldParts(uploadRequestId, signal)
    if (!answer.ok) return 'unknown'
    const nowMs = this.#nowMs()
    const looks = Array.from(this.#running, ([partNumber, running]): HeldLook => {
      const heldBytes = answer.value.get(partNumber) ?? 0
      const { seen } = running
      if (heldBytes === seen?.heldBytes)
        return nowMs - seen.atMs < LIMITS.heldAgainMs ? 'not-yet' : 'still'
      running.seen = { heldBytes, atMs: nowMs }
      if (seen === null || heldBytes < seen.heldBytes) return 'not-yet'
      running.lastActivityAtMs = nowMs
      const notes = this.#notesOf(partNumber)
      if (heldBytes > notes.heldBytes) hold(this.#context, notes, heldBytes)
      return 'grew'
    })
    return (['grew', 'not-yet'] as const).find((look) => looks.includes(look)) ?? 'still'
  }

  #dropLongest(): void {
    const [longest] = Array.from(this.#running).toSorted(
      ([, a], [, b]) => a.lastActivityAtMs - b.lastActivityAtMs,
    )
    longest?.[1].controller.abort()
  }

  #mayBeginTrial(): boolean {
    return this.#trial !== null && this.#trial.partNumber === null
  }

  #dropTrial(): void {
    this.#running.get(this.#trial?.partNumber ?? 0)?.controller.abort()
    this.#trial = null
    this.#sayStalled()
  }

  #dropSilent(sinceMs: number): void {
    for (const { controller, lastActivityAtMs } of this.#running.values())
      if (lastActivityAtMs < sinceMs) controller.abort()
  }

  #stopAll(): void {
    for (const { controller } of this.#running.values()) controller.abort()
  }

  #end(event: UploadEvent): void {
    if (this.#ending !== null) return
    this.#ending = event
    // Parts in flight do not need the login: after a 401 they may finish.
    if (event.kind !== 'auth-lost') this.#stopAll()
    this.#bell.ring()
  }

  #backOff(cause: WaitCause): UploadEvent {
    return backOffEvent(this.#input.deps, this.#input.retries, cause)
  }

  /** Hashed parts have their URLs before a slot is free, or each would wait for a call. */
  #fetchUrlsAhead(): void {
    if (!this.#input.urlsNeedChecksums || !this.#input.reach.mayBegin()) return
    const ready = this.#pending.filter((each) => this.#hasUrl(each))
    if (ready.length < this.#slots && this.#withoutUrls().length > 0) this.#fetchUrls()
  }

  #hasUrl(partNumber: number): boolean {
    return this.#input.urls.get(partNumber, this.#nowMs()) !== null
  }

  /** Pending parts that a URL may be asked for. */
  #withoutUrls(): readonly number[] {
    const { claim, urlsNeedChecksums } = this.#input
    return this.#pending.filter(
      (each) => !claim.parts.unproven().has(each) && !(urlsNeedChecksums && this.#hasUrl(each)),
    )
  }

  /** URLs for the next parts, one call at a time. */
  #fetchUrls(): void {
    if (this.#isFetchingUrls || (this.#urlsProblem?.untilMs ?? 0) > this.#nowMs()) return
    const { deps, retries, urls } = this.#input
    this.#isFetchingUrls = true
    const task = this.#askForUrls()
      .then(async ({ answer, wanted }) => {
        const cause = answer.ok ? null : this.#passing(answer.error)
        if (answer.ok) urls.fill(answer.value, this.#nowMs(), wanted)
        const next = this.#nextPart()
        // A server that names no URL for a missing part must not be asked in a loop.
        const isMissing = answer.ok && next !== null && wanted.has(next) && !this.#hasUrl(next)
        if (isMissing) await this.#askApi()
        const waits = cause ?? (isMissing ? because('server') : null)
        const backOff = waits === null ? null : backOffEvent(deps, retries, waits)
        this.#urlsProblem =
          waits === null || backOff === null
            ? null
            : { cause: waits, untilMs: backOff.wait.retryAtEpochMs }
      })
      .catch((thrown: unknown) => {
        if (isAbort(thrown)) return
        deps.log.error('urls of parts were not asked for', describeBug(thrown))
        this.#end({ kind: 'fail', code: 'upload/unexpected', message: null })
      })
      .finally(() => {
        this.#isFetchingUrls = false
        this.#tasks.delete(task)
        this.#bell.ring()
      })
    this.#tasks.add(task)
  }

  async #askForUrls() {
    const { deps, claim, urlsNeedChecksums } = this.#input
    const wanted = new Map<number, string | null>()
    const most = urlsNeedChecksums ? Math.max(this.#slots, this.#safeAhead()) : URLS_AHEAD
    for (const partNumber of this.#withoutUrls().slice(0, most)) {
      const sha256 = urlsNeedChecksums
        ? await hashOf(this.#context, this.#notesOf(partNumber))
        : null
      // Its file cannot be read, which ends the transfer.
      if (urlsNeedChecksums && sha256 === null) break
      wanted.set(partNumber, sha256)
    }
    const parts = Array.from(wanted, ([partNumber, sha256]) => ({ partNumber, sha256 }))
    const answer: Awaited<ReturnType<typeof deps.api.partUrls>> =
      parts.length === 0
        ? ok([])
        : await deps.api.partUrls(claim.row().uploadRequestId ?? '', parts, claim.signal)
    return { answer, wanted }
  }

  /** The first parts are sent as soon as they are hashed; later ones wait for no call. */
  #safeAhead(): number {
    return this.#running.size === 0 ? 0 : HASHED_AHEAD
  }

  async #askApi(): Promise<WaitCause | null> {
    const { deps, claim, urls } = this.#input
    const answer = await deps.api.read(claim.row().uploadRequestId ?? '', claim.signal)
    if (!answer.ok) return this.#passing(answer.error)
    if (answer.value.state !== 'open') this.#end(await endedAtServer(deps, claim, answer.value))
    else urls.fill(answer.value.parts, this.#nowMs())
    return null
  }

  /** What to wait for after a failed call; ends the transfer where waiting does not help. */
  #passing(problem: UploadApiProblem): WaitCause {
    const event = apiProblemEvent(this.#input.deps, { failedInARow: 0 }, problem)
    if (event.kind !== 'back-off') this.#end(event)
    return {
      ...(event.kind === 'back-off' ? event.wait : { reason: 'server' as const }),
      retryAfterMs: problem.kind === 'busy' ? problem.retryAfterMs : null,
    }
  }

  /** Looks after everything that depends on time until `signal` aborts. */
  async #tick(signal: AbortSignal): Promise<void> {
    const { deps, claim, meter, notes } = this.#input
    let savedAtMs = this.#nowMs()
    for (let lastMs = this.#nowMs(); !signal.aborted;) {
      await deps.clock.sleep(LIMITS.lookEveryMs, signal).catch(() => undefined)
      const nowMs = this.#nowMs()
      if (Math.abs(nowMs - lastMs - LIMITS.lookEveryMs) > CLOCK_JUMP_MS) {
        this.#stopAll()
        for (const each of notes.values()) each.notBeforeMs = 0
        meter.interrupted()
      }
      lastMs = nowMs
      if (Math.abs(nowMs - savedAtMs) >= SAVE_EVERY_MS) {
        savedAtMs = nowMs
        void (claim.isUnsaved() ? claim.save() : claim.reportSafeBytes())
      }
      meter.tick(claim.isUnsaved())
      this.#bell.ring()
    }
  }

  #notesOf(partNumber: number): PartNotes {
    const { notes, claim } = this.#input
    const found = notes.get(partNumber) ?? newNotes(partNumber, claim.parts.heldBytes(partNumber))
    notes.set(partNumber, found)
    return found
  }

  #nowMs(): number {
    return this.#input.deps.clock.now()
  }
}

/** Wakes the loop; a ring between two waits is not lost. */
function createBell(): { ring: () => void; next(): Promise<void> } {
  let bell = Promise.withResolvers<void>()
  return {
    ring: () => bell.resolve(),
    next: async () => {
      await bell.promise
      bell = Promise.withResolvers<void>()
    },
  }
}
