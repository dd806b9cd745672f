import type { Fault, RequestFacts, RequestKind } from './faults.ts'

/** One request as the proxy saw it; filled while it runs. */
export interface LedgerEntry {
  readonly facts: RequestFacts
  readonly fault: Fault['kind'] | null
  readonly startedAtMs: number
  /** When the first of them came; null before. */
  firstByteAtMs: number | null
  /** Bytes of the body that reached the proxy. */
  receivedBytes: number
  /** What the client was told; null: nothing (yet). */
  status: number | null
  isOver: boolean
  /** Null while it runs. */
  endedAtMs: number | null
}

export interface PartCount {
  readonly partNumber: number
  readonly attempts: number
  readonly receivedBytes: number
}

/** Every upload request that came by, and what tests ask of them. `lane` picks one browser. */
export interface FaultLedger {
  open(
    facts: Omit<RequestFacts, 'attempt'>,
    pick: (facts: RequestFacts) => Fault | null,
  ): LedgerEntry & { readonly chosen: Fault | null }
  close(entry: LedgerEntry): void
  /** Requests of one kind, oldest first. */
  of(lane: string, kind: RequestKind): readonly LedgerEntry[]
  parts(lane: string): readonly PartCount[]
  /** Attempts at parts beyond the first of each. */
  repeats(lane: string): number
  /** Requests that a rule spoiled. */
  faults(lane: string): number
  /** Most part PUTs that were open at the same time. */
  mostConcurrentParts(lane: string): number
  /** Bytes of parts received so far, repeats included. */
  receivedBytes(lane: string): number
}

export function createFaultLedger(): FaultLedger {
  const entries: LedgerEntry[] = []
  const mostByLane = new Map<string, number>()
  const of = (lane: string, kind: RequestKind): readonly LedgerEntry[] =>
    entries.filter(({ facts }) => facts.lane === lane && facts.kind === kind)

  const parts = (lane: string): readonly PartCount[] => {
    const counts = new Map<string, PartCount>()
    for (const { facts, receivedBytes } of of(lane, 'part')) {
      const key = `${facts.uploadId}/${facts.partNumber}`
      const known = counts.get(key) ?? {
        partNumber: facts.partNumber ?? 0,
        attempts: 0,
        receivedBytes: 0,
      }
      counts.set(key, {
        ...known,
        attempts: known.attempts + 1,
        receivedBytes: known.receivedBytes + receivedBytes,
      })
    }
    return Array.from(counts.values())
  }

  return {
    of,
    parts,
    open: (known, pick) => {
      const earlier = of(known.lane, known.kind).filter(
        ({ facts }) => facts.uploadId === known.uploadId && facts.partNumber === known.partNumber,
      )
      // A connection that is not read from, or slowly, does not show that the client left; its next
      // attempt does.
      for (const entry of earlier) entry.isOver = true
      const facts: RequestFacts = { ...known, attempt: earlier.length + 1 }
      const chosen = pick(facts)
      const entry = {
        facts,
        chosen,
        fault: chosen?.kind ?? null,
        startedAtMs: performance.now(),
        firstByteAtMs: null,
        receivedBytes: 0,
        status: null,
        isOver: false,
        endedAtMs: null,
      }
      // Pages and scripts are not what this book is about.
      if (known.kind !== 'other' || chosen !== null) entries.push(entry)
      if (known.kind === 'part') {
        const open = of(known.lane, 'part').filter(({ isOver }) => !isOver).length
        mostByLane.set(known.lane, Math.max(open, mostByLane.get(known.lane) ?? 0))
      }
      return entry
    },
    close: (entry) => {
      entry.isOver = true
      entry.endedAtMs = performance.now()
    },
    repeats: (lane) => parts(lane).reduce((sum, { attempts }) => sum + attempts - 1, 0),
    faults: (lane) =>
      entries.filter(({ facts, fault }) => facts.lane === lane && fault !== null).length,
    mostConcurrentParts: (lane) => mostByLane.get(lane) ?? 0,
    receivedBytes: (lane) =>
      of(lane, 'part').reduce((sum, { receivedBytes }) => sum + receivedBytes, 0),
  }
}
