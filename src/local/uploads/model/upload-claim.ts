/**
 * What one driver may write of an upload. It is one file because every write of row and parts goes
 * through the epoch that the claim holds.
 */
import { reduceUpload, type UploadEvent } from './machine.ts'
import { PartsAtServer } from './parts-at-server.ts'
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

/**
 * One driver's claim on one upload: its epoch, its copy of the row and parts, and the signal that
 * ends it.
 */
export class UploadClaim {
  /**
   * Aborts when the driver must let go: another context changed the upload, or the engine stops.
   */
  readonly signal: AbortSignal
  readonly uploadId: string
  readonly parts: PartsAtServer
  readonly #deps: UploadDeps
  readonly #epoch: number
  readonly #letGo = new AbortController()
  readonly #unwatch: () => void
  readonly #unsavedParts = new Map<number, UploadPartRow>()
  #row: UploadRow
  #isRowUnsaved: boolean
  #reportedAtMs = Number.NEGATIVE_INFINITY
  #saving: Promise<void> | null = null

  constructor(
    deps: UploadDeps,
    outer: AbortSignal,
    row: UploadRow,
    partRows: readonly UploadPartRow[],
    isRowUnsaved: boolean,
  ) {
    this.#deps = deps
    this.#row = row
    this.#epoch = row.epoch
    this.#isRowUnsaved = isRowUnsaved
    this.uploadId = row.id
    this.signal = AbortSignal.any([outer, this.#letGo.signal])
    this.parts = new PartsAtServer(partRows)
    this.#unwatch = deps.store.watch(row.id, (seen) => {
      if (seen === null || seen.epoch !== this.#epoch) this.#letGo.abort()
    })
  }

  row(): UploadRow {
    return this.#row
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

  /** The server stored the part, and its hash is that of the file's bytes. */
  async confirmPart(confirmed: Omit<UploadPartRow, 'uploadId' | 'safeAtEpochMs'>): Promise<void> {
    const part: UploadPartRow = {
      ...confirmed,
      uploadId: this.uploadId,
      safeAtEpochMs: this.#deps.clock.now(),
    }
    this.parts.prove(part)
    if (this.isUnsaved()) await this.#flush()
    const isReported = Math.abs(part.safeAtEpochMs - this.#reportedAtMs) >= REPORT_EVERY_MS
    if (isReported) this.#reportedAtMs = part.safeAtEpochMs
    await this.#write(
      () => this.#deps.store.putPart(this.#epoch, part, isReported ? this.parts.safeBytes() : null),
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

  /** Makes this device agree with the server's list of parts. */
  async adopt(listed: readonly ServerPart[]): Promise<void> {
    const { plan } = this.#row
    if (plan !== null && this.parts.adopt(plan, listed)) await this.#replaceParts()
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
    return after(this.#deps, row, [{ kind: 'safe-bytes', safeBytes: this.parts.safeBytes() }])
  }

  async #replaceParts(): Promise<void> {
    const parts = Array.from(this.parts.safe().values())
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
          const written = await store.putPart(this.#epoch, part, this.parts.safeBytes())
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
