import { isFull } from './answers.ts'
import type { NotesByPart, PartNotes } from './part-notes.ts'
import type { ProgressMeter } from './progress-meter.ts'
import type { PartPlan } from '#src/local/db/rows.ts'
import { partSize } from '#src/local/uploads/model/plan.ts'
import type { UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import { LIMITS } from '#src/local/uploads/network/reachability.ts'
import type { HeldLook, ReachWatch, Watched } from '#src/local/uploads/network/watch.ts'
import { expectedGapMs } from '#src/local/uploads/network/watchdog.ts'
import type { PutOutcome, UploadDeps } from '#src/local/uploads/ports.ts'

/** What is known of a transfer whose parts are in flight. */
export interface FlightInput {
  readonly deps: Pick<UploadDeps, 'clock' | 'api'>
  readonly claim: Pick<UploadClaim, 'row' | 'parts' | 'signal'>
  readonly plan: PartPlan
  readonly isResumable: boolean
  readonly notes: NotesByPart
  readonly meter: ProgressMeter
  readonly reach: ReachWatch
}

/** What the transfer does then. */
export interface FlightEvents {
  /** The server does not answer. */
  readonly giveUp: () => void
  /** A stalled upload may try one part. */
  readonly mayBegin: () => void
}

interface InFlight {
  readonly controller: AbortController
  lastActivityAtMs: number
  /** Whether the network has taken all of it. */
  isAllSent: boolean
  /** What the server held of the part when it was asked during this attempt; null before. */
  seen: { readonly heldBytes: number; readonly atMs: number } | null
}

/**
 * The parts that attempts send at the moment: which of them are silent, what the server holds of
 * them, and which are given up for that. While the upload is stalled, one part at a time is in
 * flight as a trial.
 */
export class PartsInFlight implements Watched {
  readonly #input: FlightInput
  readonly #on: FlightEvents
  readonly #parts = new Map<number, InFlight>()
  /** Of a stalled upload: the part that is tried, null before it begins. Else null. */
  #trial: { readonly partNumber: number | null } | null = null

  constructor(input: FlightInput, on: FlightEvents) {
    this.#input = input
    this.#on = on
  }

  count(): number {
    return this.#parts.size
  }

  numbers(): readonly number[] {
    return Array.from(this.#parts.keys())
  }

  mayBegin(): boolean {
    return this.#input.reach.mayBegin() || this.#trial?.partNumber === null
  }

  /** @returns the signal that aborts when the part is given up, or the claim ends */
  begin(partNumber: number): AbortSignal {
    const { claim, reach } = this.#input
    const controller = new AbortController()
    this.#trial = reach.mayBegin() ? null : { partNumber }
    const lastActivityAtMs = this.#nowMs()
    this.#parts.set(partNumber, { controller, lastActivityAtMs, isAllSent: false, seen: null })
    return AbortSignal.any([controller.signal, claim.signal])
  }

  /** So many bytes of the part's current body were handed to the network. */
  sent(partNumber: number, sentBytes: number): void {
    this.#isActive(partNumber)
    const part = this.#parts.get(partNumber)
    if (part !== undefined) part.isAllSent = sentBytes >= partSize(this.#input.plan, partNumber)
    this.#input.meter.sent(partNumber, sentBytes)
    if (sentBytes > 0) this.#input.reach.moved()
  }

  answered(partNumber: number, outcome: PutOutcome): void {
    const { reach } = this.#input
    this.#isActive(partNumber)
    // A full storage is no silent one: what it says is said to the person.
    if (outcome.kind === 'answer' && (outcome.isOwn || isFull(outcome))) reach.moved()
    else reach.trialFailed()
    if (reach.state().kind === 'stalled') this.#sayStalled()
  }

  /** The server holds so much of a part, which may be less than before. */
  hold(notes: PartNotes, heldBytes: number): void {
    const { plan, claim, meter } = this.#input
    const gainedBytes = Math.min(heldBytes, partSize(plan, notes.partNumber)) - notes.heldBytes
    notes.heldBytes += gainedBytes
    claim.parts.hold(notes.partNumber, notes.heldBytes)
    meter.acknowledged(notes.partNumber, Math.max(0, gainedBytes), claim.parts.safeBytes())
  }

  ended(partNumber: number): void {
    this.#parts.delete(partNumber)
    this.#input.meter.ended(partNumber)
  }

  dropAll(): void {
    for (const { controller } of this.#parts.values()) controller.abort()
  }

  quietMs(): number {
    const last = Array.from(this.#parts.values(), ({ lastActivityAtMs }) => lastActivityAtMs)
    return last.length === 0 ? 0 : Math.max(0, this.#nowMs() - Math.max(...last))
  }

  gapMs(): number | null {
    return expectedGapMs(this.#input.meter.bytesPerSecond(), 1)
  }

  dropLongest(): void {
    const [longest] = this.#judged().toSorted((a, b) => a.lastActivityAtMs - b.lastActivityAtMs)
    longest?.controller.abort()
  }

  dropTrial(): void {
    this.#parts.get(this.#trial?.partNumber ?? 0)?.controller.abort()
    this.#trial = null
    this.#sayStalled()
  }

  dropSilent(sinceMs: number): void {
    for (const { controller, lastActivityAtMs } of this.#judged())
      if (lastActivityAtMs < sinceMs) controller.abort()
  }

  giveUp(): void {
    this.#on.giveUp()
  }

  beginOne(): void {
    this.#trial = { partNumber: null }
    this.#on.mayBegin()
  }

  /**
   * The first answer of an attempt is only remembered: what is held may be of an older version of
   * the part. What comes later is of this attempt, and safe.
   */
  async lookAtHeld(signal: AbortSignal): Promise<HeldLook> {
    const { deps, claim, isResumable } = this.#input
    const { uploadRequestId } = claim.row()
    if (!isResumable) return this.#judged().length === 0 ? 'not-yet' : 'unknown'
    if (uploadRequestId === null) return 'unknown'
    const answer = await deps.api.heldParts(uploadRequestId, signal)
    if (!answer.ok) return 'unknown'
    const looks = Array.from(this.#parts, ([partNumber, part]) =>
      this.#look(partNumber, part, answer.value.get(partNumber) ?? 0),
    )
    return (['grew', 'not-yet'] as const).find((look) => looks.includes(look)) ?? 'still'
  }

  /**
   * The parts whose silence says something. A store that cannot be asked how much has arrived says
   * nothing while buffers pass on the end of a part, nor while it writes the part, and a new
   * attempt begins at its first byte: the watchdog of the attempt judges it alone.
   */
  #judged(): readonly InFlight[] {
    const parts = Array.from(this.#parts.values())
    return this.#input.isResumable ? parts : parts.filter(({ isAllSent }) => !isAllSent)
  }

  #look(partNumber: number, part: InFlight, heldBytes: number): HeldLook {
    const { seen } = part
    const nowMs = this.#nowMs()
    if (heldBytes === seen?.heldBytes)
      return nowMs - seen.atMs < LIMITS.heldAgainMs ? 'not-yet' : 'still'
    part.seen = { heldBytes, atMs: nowMs }
    if (seen === null || heldBytes < seen.heldBytes) return 'not-yet'
    part.lastActivityAtMs = nowMs
    const notes = this.#input.notes.of(partNumber)
    if (heldBytes > notes.heldBytes) this.hold(notes, heldBytes)
    return 'grew'
  }

  #isActive(partNumber: number): void {
    const part = this.#parts.get(partNumber)
    if (part !== undefined) part.lastActivityAtMs = this.#nowMs()
  }

  /** Said only after a trial has failed: most dead connections are replaced within a second. */
  #sayStalled(): void {
    this.#input.meter.waits({
      reason: 'store',
      retryAtEpochMs: this.#nowMs() + LIMITS.trial.againMs,
      attempt: 1,
    })
  }

  #nowMs(): number {
    return this.#input.deps.clock.now()
  }
}
