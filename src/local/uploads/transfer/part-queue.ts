import type { NotesByPart } from './part-notes.ts'
import { MULTIPART_CONCURRENT_PARTS } from '#spec/numbers.ts'
import type { PartPlan, UploadWait } from '#src/local/db/rows.ts'
import { uploadDelayMs } from '#src/local/uploads/model/backoff.ts'
import { endsFirst } from '#src/local/uploads/model/plan.ts'
import type { WaitCause } from '#src/local/uploads/model/problems.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'

/** The most parts at once, over all uploads of the account on this device. */
export const MAX_SLOTS = MULTIPART_CONCURRENT_PARTS
/**
 * After this many failures in a row, of whatever parts, the fault is not one part's: one of the
 * parts that failed is tried at a time, and no whole round is sent into the same wall.
 */
const SHARED_FAULT = 3

/** What all parts wait for, and until when. */
export interface Wait {
  readonly cause: WaitCause
  readonly untilMs: number
}

/**
 * The parts of one transfer that are neither safe nor in flight: which of them is next, how long it
 * waits after a failure, and how many parts may be in flight at once.
 */
export class PartQueue {
  readonly #deps: Pick<UploadDeps, 'clock' | 'random'>
  readonly #plan: PartPlan
  readonly #notes: NotesByPart
  #waiting: readonly number[]
  #slots: number
  /** Attempts in a row without progress, over all parts, and how long all parts wait for it. */
  #failures = { inARow: 0, holdUntilMs: 0 }

  /** Every part may be tried now: a person, or the end of a wait, began this transfer. */
  constructor(
    deps: Pick<UploadDeps, 'clock' | 'random' | 'firstSlots'>,
    plan: PartPlan,
    missing: readonly number[],
    notes: NotesByPart,
  ) {
    this.#deps = deps
    this.#plan = plan
    this.#notes = notes
    this.#waiting = endsFirst(plan, missing)
    this.#slots = deps.firstSlots
    notes.endWaits()
  }

  /** Numbers of the parts, in the order of sending. */
  waiting(): readonly number[] {
    return this.#waiting
  }

  /** How many parts are in flight at once when no fault is shared by all. */
  slots(): number {
    return this.#slots
  }

  hasFreeSlot(partsInFlight: number): boolean {
    return partsInFlight < (this.#isFaultShared() ? 1 : this.#slots)
  }

  /** The next part whose wait is over; null when there is none. */
  next(): number | null {
    const nowMs = this.#deps.clock.now()
    const isShared = this.#isFaultShared()
    if (isShared && nowMs < this.#failures.holdUntilMs) return null
    const ready = (partNumber: number): boolean => {
      const { notBeforeMs, cause } = this.#notes.of(partNumber)
      return notBeforeMs <= nowMs && (!isShared || cause !== null)
    }
    return this.#waiting.find(ready) ?? null
  }

  /** The part goes into flight. */
  take(partNumber: number): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== partNumber)
  }

  stored(partNumber: number): void {
    this.#notes.forget(partNumber)
    this.progressed()
    this.#slots = Math.min(Math.max(this.#slots, 1) + 1, MAX_SLOTS)
  }

  /** The server holds more of some part than before. */
  progressed(): void {
    this.#failures = { inARow: 0, holdUntilMs: 0 }
  }

  /**
   * A part goes back to its place in the order of sending: after a wait for `cause`, or at once
   * when that is null.
   */
  putBack(partNumber: number, cause: WaitCause | null, losesSlot: boolean): void {
    if (losesSlot) this.#slots = Math.max(1, this.#slots - 1)
    const notes = this.#notes.of(partNumber)
    notes.cause = cause
    if (cause !== null) {
      notes.failedInARow += 1
      notes.notBeforeMs =
        this.#deps.clock.now() +
        uploadDelayMs(notes.failedInARow, this.#deps.random(), cause.retryAfterMs)
      this.#failures = {
        inARow: this.#failures.inARow + 1,
        holdUntilMs: Math.max(this.#failures.holdUntilMs, notes.notBeforeMs),
      }
    }
    this.#waiting = endsFirst(
      this.#plan,
      [...this.#waiting, partNumber].toSorted((a, b) => a - b),
    )
  }

  /**
   * What the parts wait for when none of them may be tried now; else null.
   * @param urls the same of their URLs
   */
  pause(urls: Wait | null): UploadWait | null {
    const bySoonest = this.#waiting
      .map((partNumber) => this.#notes.of(partNumber))
      .toSorted((a, b) => a.notBeforeMs - b.notBeforeMs)
    const failed = bySoonest.find(({ cause }) => cause !== null)
    const untilMs = Math.max(
      bySoonest[0]?.notBeforeMs ?? 0,
      urls?.untilMs ?? 0,
      this.#isFaultShared() ? this.#failures.holdUntilMs : 0,
    )
    const cause = urls?.cause ?? failed?.cause ?? null
    if (cause === null || untilMs <= this.#deps.clock.now()) return null
    return {
      reason: cause.reason,
      ...(cause.code === undefined ? {} : { code: cause.code }),
      retryAtEpochMs: untilMs,
      attempt: failed?.failedInARow ?? 1,
    }
  }

  #isFaultShared(): boolean {
    return this.#failures.inARow >= SHARED_FAULT
  }
}
