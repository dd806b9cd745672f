import { carriesBytes, type Fault, type RequestFacts, type RequestKind } from './faults.ts'

/** One request as the proxy saw it; filled while it runs. */
export interface LedgerEntry {
  readonly facts: RequestFacts
  readonly fault: Fault['kind'] | null
  readonly startedAtMs: number
  /** When the first byte came; null before. */
  firstByteAtMs: number | null
  /** Bytes of the body that reached the proxy. */
  receivedBytes: number
  /** The status that the client got; null: none (yet). */
  status: number | null
  isOver: boolean
  /** Null while it runs. */
  endedAtMs: number | null
}

interface PartCount {
  readonly partNumber: number
  readonly attempts: number
  readonly receivedBytes: number
}

/**
 * Every upload request that passed the proxy, and the questions that tests ask about them. `device`
 * selects one browser.
 */
export interface FaultLedger {
  open(
    facts: Omit<RequestFacts, 'attempt'>,
    pick: (facts: RequestFacts) => Fault | null,
  ): LedgerEntry & { readonly chosen: Fault | null }
  close(entry: LedgerEntry): void
  /** Requests of one kind, oldest first. */
  of(device: string, kind: RequestKind): readonly LedgerEntry[]
  /** Requests that carry bytes of parts, oldest first. */
  bodies(device: string): readonly LedgerEntry[]
  parts(device: string): readonly PartCount[]
  /** Bytes of parts that passed more than once: in all bodies, less those that are different. */
  repeatedBytes(device: string): number
  /** Requests that a rule damaged. */
  faults(device: string): number
  /**
   * The most requests with bytes of parts that were open at the same time. Those in a black hole
   * are left out: they are not read, so they do not show when the client leaves.
   */
  mostConcurrentParts(device: string): number
  /** Bytes of parts that passed so far, repeats included. */
  receivedBytes(device: string): number
  /**
   * Of these, the bytes of requests that were answered with success. When nothing that the server
   * has is sent again, they are no more than the file; what a network lost on its way is no part.
   */
  acknowledgedBytes(device: string): number
}

/** Bytes of one part that these bodies carried more than once. */
function overlapOf(bodies: readonly LedgerEntry[]): number {
  const ordered = bodies.toSorted((one, other) => one.facts.offset - other.facts.offset)
  return ordered.reduce(
    ({ end, overlap }, { facts, receivedBytes }) => {
      const last = facts.offset + receivedBytes
      const known = Math.max(0, Math.min(end, last) - facts.offset)
      return { end: Math.max(end, last), overlap: overlap + known }
    },
    { end: 0, overlap: 0 },
  ).overlap
}

export function createFaultLedger(): FaultLedger {
  const entries: LedgerEntry[] = []
  const mostByDevice = new Map<string, number>()
  const of = (device: string, kind: RequestKind): readonly LedgerEntry[] =>
    entries.filter(({ facts }) => facts.device === device && facts.kind === kind)

  const sending = (device: string): readonly LedgerEntry[] =>
    entries.filter(({ facts }) => facts.device === device && carriesBytes(facts.kind))

  const bytesOf = (of: readonly LedgerEntry[]): number =>
    of.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0)

  const parts = (device: string): readonly PartCount[] => {
    const counts = new Map<string, PartCount>()
    for (const { facts, receivedBytes } of sending(device)) {
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
    bodies: sending,
    parts,
    open: (known, pick) => {
      const isSamePart = ({ facts }: LedgerEntry): boolean =>
        facts.uploadId === known.uploadId && facts.partNumber === known.partNumber
      const earlier = of(known.device, known.kind).filter(isSamePart)
      // A connection that is read slowly or not at all does not show that the client left; its next
      // attempt does, whatever it asks of the part.
      for (const entry of known.partNumber === null
        ? earlier
        : sending(known.device).filter(isSamePart))
        entry.isOver = true
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
      // The ledger leaves out pages and scripts.
      if (known.kind !== 'other' || chosen !== null) entries.push(entry)
      if (carriesBytes(known.kind)) {
        const open = sending(known.device).filter(
          ({ isOver, fault }) => !isOver && fault !== 'black-hole',
        ).length
        mostByDevice.set(known.device, Math.max(open, mostByDevice.get(known.device) ?? 0))
      }
      return entry
    },
    close: (entry) => {
      entry.isOver = true
      entry.endedAtMs = performance.now()
    },
    repeatedBytes: (device) =>
      Array.from(
        Map.groupBy(
          sending(device),
          ({ facts }) => `${facts.uploadId}/${facts.partNumber}`,
        ).values(),
      ).reduce((sum, bodies) => sum + overlapOf(bodies), 0),
    faults: (device) =>
      entries.filter(({ facts, fault }) => facts.device === device && fault !== null).length,
    mostConcurrentParts: (device) => mostByDevice.get(device) ?? 0,
    receivedBytes: (device) => bytesOf(sending(device)),
    acknowledgedBytes: (device) =>
      bytesOf(sending(device).filter(({ status }) => status === 200 || status === 204)),
  }
}
