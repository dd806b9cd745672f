/**
 * What one driver may write of an upload. It is one file because every write of row and parts goes
 * through the epoch that the claim holds.
 */
import { reduceUpload, type UploadEvent } from './machine.ts'
import { partSize } from './plan.ts'
import type { ServerPart, UploadDeps } from '#src/local/uploads/ports.ts'
import type { UploadPartRow, UploadRow } from '#src/local/db/rows.ts'
import { describeBug } from '#src/lib/describe-bug.ts'

/**
 * The part rows are the truth, and each is written at once. Screens in all tabs follow the upload
 * row, which may lag behind on a fast network.
 */
const REPORT_EVERY_MS = 1_000

/**
 * Claims the upload: raises its epoch, applies `events` in the same commit, and watches the row.
 * Call under the lock `upload:<id>`. Null when there is no such upload.
 *
 * [Note: refused writes] A failed write (quota, broken database) never stops an upload: the claim
 * continues with its own copy and retries the write, and what a crash loses is in the server's
 * list. Even the write of the claim may fail: then the lock alone keeps other drivers away.
 */
export async function claimUpload(
  deps: UploadDeps,
  uploadId: string,
  outer: AbortSignal,
  events: readonly UploadEvent[] = [],
): Promise<UploadClaim | null> {
  const taken = (row: UploadRow): UploadRow => after(deps, { ...row, epoch: row.epoch + 1 }, events)
  try {
    const claimed = await deps.store.change(uploadId, null, taken)
    if (claimed === null) return null
    return new UploadClaim(deps, outer, claimed, await deps.store.parts(uploadId), false)
  } catch (thrown) {
    deps.log.warn('a row could not be written', describeBug(thrown))
    const stored = await deps.store.read(uploadId)
    if (stored === null) return null
    // The epoch stays, because no other driver could see it raised.
    const next = after(deps, stored, events)
    return new UploadClaim(deps, outer, next, await deps.store.parts(uploadId), next !== stored)
  }
}

/** A part that the server lists and this device did not send: nothing proves its bytes yet. */
export type UnprovenPart = Pick<ServerPart, 'eTag' | 'sha256'>

/**
 * One driver's claim on one upload: its epoch, its copy of the row and parts, and the signal that
 * ends it. A *safe* part is one that the server stored and whose hash this device computed.
 */
export class UploadClaim {
  /**
   * Aborts when the driver must let go: another context changed the upload, or the engine stops.
   */
  readonly signal: AbortSignal
  readonly uploadId: string
  readonly #deps: UploadDeps
  readonly #epoch: number
  readonly #letGo = new AbortController()
  readonly #unwatch: () => void
  readonly #safe: Map<number, UploadPartRow>
  readonly #unproven = new Map<number, UnprovenPart>()
  /** Bytes that the server holds of parts that are not safe. */
  readonly #held = new Map<number, number>()
  readonly #unsavedParts = new Map<number, UploadPartRow>()
  #row: UploadRow
  #isRowUnsaved: boolean
  #reportedAtMs = Number.NEGATIVE_INFINITY
  #saving: Promise<void> | null = null

  constructor(
    deps: UploadDeps,
    outer: AbortSignal,
    row: UploadRow,
    parts: readonly UploadPartRow[],
    isRowUnsaved: boolean,
  ) {
    this.#deps = deps
    this.#row = row
    this.#epoch = row.epoch
    this.#isRowUnsaved = isRowUnsaved
    this.uploadId = row.id
    this.signal = AbortSignal.any([outer, this.#letGo.signal])
    // Versions before this one kept parts of the server's list without their hash.
    this.#safe = new Map(
      parts.flatMap((part) => (part.sha256 === '' ? [] : [[part.partNumber, part]])),
    )
    this.#unwatch = deps.store.watch(row.id, (seen) => {
      if (seen === null || seen.epoch !== this.#epoch) this.#letGo.abort()
    })
  }

  row(): UploadRow {
    return this.#row
  }

  /** Safe parts by number, including those whose row is not written yet. */
  safeParts(): ReadonlyMap<number, UploadPartRow> {
    return this.#safe
  }

  /** What the server lists and this device still has to compare with the file. */
  unproven(): ReadonlyMap<number, UnprovenPart> {
    return this.#unproven
  }

  /** A listed part has other bytes than the file. */
  disprove(partNumber: number): void {
    this.#unproven.delete(partNumber)
  }

  /** How many bytes the server holds, of unfinished parts too. */
  safeBytes(): number {
    return sum(Array.from(this.#safe.values(), (part) => part.sizeBytes)) + sum(this.#held.values())
  }

  heldBytes(partNumber: number): number {
    return this.#held.get(partNumber) ?? 0
  }

  /** True while this device has not stored something that the claim knows. */
  isUnsaved(): boolean {
    return this.#isRowUnsaved || this.#unsavedParts.size > 0
  }

  /** Applies the events in one commit; events that do not fit change nothing. */
  async apply(...happened: readonly UploadEvent[]): Promise<void> {
    const next = after(this.#deps, this.#row, happened)
    if (next === this.#row && !this.#isRowUnsaved) return
    await this.#write(
      async () => {
        const written = await this.#deps.store.change(this.uploadId, this.#epoch, (stored) =>
          this.#isRowUnsaved ? next : after(this.#deps, this.#counted(stored), happened),
        )
        this.#isRowUnsaved = false
        return written
      },
      () => {
        this.#row = next
        this.#isRowUnsaved = true
      },
    )
  }

  /** The server holds this much of an unfinished part. */
  hold(partNumber: number, heldBytes: number): void {
    if (heldBytes === 0) this.#held.delete(partNumber)
    else this.#held.set(partNumber, heldBytes)
  }

  /** The server stored the part, and its hash is that of the file's bytes. */
  async confirmPart(confirmed: Omit<UploadPartRow, 'uploadId' | 'safeAtEpochMs'>): Promise<void> {
    const part: UploadPartRow = {
      ...confirmed,
      uploadId: this.uploadId,
      safeAtEpochMs: this.#deps.clock.now(),
    }
    this.#safe.set(part.partNumber, part)
    this.#held.delete(part.partNumber)
    this.#unproven.delete(part.partNumber)
    if (this.isUnsaved()) await this.#flush()
    const isReported = Math.abs(part.safeAtEpochMs - this.#reportedAtMs) >= REPORT_EVERY_MS
    if (isReported) this.#reportedAtMs = part.safeAtEpochMs
    await this.#write(
      () => this.#deps.store.putPart(this.#epoch, part, isReported ? this.safeBytes() : null),
      () => {
        this.#unsavedParts.set(part.partNumber, part)
        this.#row = this.#counted(this.#row)
        this.#isRowUnsaved = true
      },
    )
  }

  /** Writes the number of safe bytes into the row, if the row lags behind. */
  async reportSafeBytes(): Promise<void> {
    if (this.#counted(this.#row) === this.#row || this.#isRowUnsaved) return
    this.#reportedAtMs = this.#deps.clock.now()
    await this.#write(
      () => this.#deps.store.change(this.uploadId, this.#epoch, (stored) => this.#counted(stored)),
      () => undefined,
    )
  }

  /**
   * Makes this device agree with the server's list. A part stays safe only if the server lists the
   * same bytes; a listed part that this device did not send is unproven.
   */
  async adopt(parts: readonly ServerPart[]): Promise<void> {
    const { plan } = this.#row
    if (plan === null) return
    const before = this.#safe.size
    const stored = new Map(
      parts
        .filter(
          (part) =>
            part.eTag !== null &&
            part.partNumber <= plan.partCount &&
            part.storedBytes === partSize(plan, part.partNumber),
        )
        .map((part) => [part.partNumber, part]),
    )
    for (const [partNumber, part] of this.#safe) {
      const listed = stored.get(partNumber)
      if (!isSameBytes(part, listed)) this.#safe.delete(partNumber)
      // Something in between may have changed the ETag of the answer.
      else this.#safe.set(partNumber, { ...part, eTag: listed?.eTag ?? part.eTag })
    }
    this.#unproven.clear()
    for (const [partNumber, part] of stored)
      if (!this.#safe.has(partNumber)) this.#unproven.set(partNumber, part)
    this.#held.clear()
    for (const part of parts)
      if (part.eTag === null && part.partNumber <= plan.partCount)
        this.hold(part.partNumber, Math.min(part.heldBytes, partSize(plan, part.partNumber)))
    if (this.#safe.size !== before) await this.#replaceParts()
  }

  /** Drops parts whose bytes are no longer those of the file; they are sent again. */
  async dropParts(partNumbers: Iterable<number>): Promise<void> {
    for (const partNumber of partNumbers) this.#safe.delete(partNumber)
    await this.#replaceParts()
  }

  /** Retries the writes that this device refused. */
  save(): Promise<void> {
    this.#saving ??= this.#flush().finally(() => {
      this.#saving = null
    })
    return this.#saving
  }

  close(): void {
    this.#unwatch()
    this.#letGo.abort()
  }

  #counted(row: UploadRow): UploadRow {
    return after(this.#deps, row, [{ kind: 'safe-bytes', safeBytes: this.safeBytes() }])
  }

  async #replaceParts(): Promise<void> {
    const parts = Array.from(this.#safe.values())
    this.#unsavedParts.clear()
    await this.#write(
      () => this.#deps.store.replaceParts(this.uploadId, this.#epoch, parts),
      () => {
        for (const part of parts) this.#unsavedParts.set(part.partNumber, part)
      },
    )
  }

  /** Runs one write. A refusal by epoch ends the claim; a failure is survived by `fallback`. */
  async #write(attempt: () => Promise<UploadRow | null>, fallback: () => void): Promise<void> {
    if (this.#letGo.signal.aborted) return
    try {
      const written = await attempt()
      if (written === null) this.#letGo.abort()
      else this.#row = written
    } catch (thrown) {
      this.#deps.log.warn('a row could not be written', describeBug(thrown))
      fallback()
    }
  }

  async #flush(): Promise<void> {
    const { store } = this.#deps
    if (this.#isRowUnsaved)
      await this.#write(
        async () => {
          const written = await store.change(this.uploadId, this.#epoch, (stored) => ({
            ...stored,
            ...driven(this.#counted(this.#row)),
          }))
          this.#isRowUnsaved = false
          return written
        },
        () => undefined,
      )
    for (const part of Array.from(this.#unsavedParts.values()))
      await this.#write(
        async () => {
          const written = await store.putPart(this.#epoch, part, this.safeBytes())
          this.#unsavedParts.delete(part.partNumber)
          return written
        },
        () => undefined,
      )
  }
}

function after(deps: UploadDeps, row: UploadRow, events: readonly UploadEvent[]): UploadRow {
  return events.reduce((next, event) => reduceUpload(next, event, deps.clock.now()), row)
}

/** The fields of the row that only its driver changes. */
function driven(row: UploadRow): Partial<UploadRow> {
  const { state, plan, uploadRequestId, safeBytes, updatedAtEpochMs, file } = row
  return { state, plan, uploadRequestId, safeBytes, updatedAtEpochMs, file }
}

/**
 * Whether the server has the bytes that this device sent. A hash decides; a storage that names none
 * is believed by its ETag, which it gave for these bytes.
 */
function isSameBytes(ours: UploadPartRow, listed: ServerPart | undefined): boolean {
  if (listed === undefined) return false
  return listed.sha256 === null ? listed.eTag === ours.eTag : listed.sha256 === ours.sha256
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
