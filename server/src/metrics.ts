import { setTimeout } from 'node:timers/promises'

/** What is counted from the start of a process on, and what it says to an operator. */
const COUNTERS = {
  onecut_calls_total: 'Answered calls, by operation of the contract and status.',
  onecut_deliveries_failed_total: 'Deliveries of the queue that failed, by kind.',
  onecut_leases_taken_over_total: 'Leases taken from a process that renewed them no more.',
  onecut_leases_lost_total: 'Leases that this process could not renew in time.',
  onecut_lease_renewals_total: 'Statements that renewed all leases of this process.',
  onecut_edits_made_total: 'Edits whose files were made, by preset.',
  onecut_edit_media_seconds_total: 'Length of the videos of these edits, by preset.',
  onecut_edit_seconds_total: 'Time that making them took, without searches, by preset.',
  onecut_edit_processor_seconds_total:
    'Processor time of the tools that make edits and segments here, about, by preset.',
  onecut_copy_bytes_total:
    'Bytes of files in a bucket that work here wanted: `here` they were, or `fetched` they are.',
  onecut_store_calls_total: 'Calls of a bucket by this process, by call and outcome.',
} as const
type Counter = keyof typeof COUNTERS

/** Values from short lists of our own: each combination is kept until the process ends. */
type Labels = Readonly<Record<string, string>>

/** One figure that is read when it is asked for. */
interface Sample {
  readonly labels?: Labels
  readonly value: number
}

interface Gauge {
  readonly help: string
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

/** The figures of this process for `/metrics`. */
export interface Metrics {
  count(counter: Counter, labels?: Labels, by?: number): void
  /** What was counted so far, over all labels. */
  total(counter: Counter): number
  /** Has a figure read each time that the text is asked for. */
  gauge(name: string, help: string, read: Gauge['read']): void
  /**
   * All figures in Prometheus' text format 0.0.4. A gauge that cannot be read in a moment, as while
   * the database is away, is left out.
   */
  text(): Promise<string>
}

/** Who reads the figures gives up after some seconds, and would get none of them. */
const LONGEST_READ_MS = 2_000

export function createMetrics(longestReadMs = LONGEST_READ_MS): Metrics {
  const counters = new Map<Counter, Map<string, number>>()
  const gauges = new Map<string, Gauge>()
  return {
    count(counter, labels = {}, by = 1) {
      const series = counters.get(counter) ?? new Map<string, number>()
      const key = printLabels(labels)
      counters.set(counter, series.set(key, (series.get(key) ?? 0) + by))
    },
    total: (counter) =>
      [...(counters.get(counter)?.values() ?? [])].reduce((sum, each) => sum + each, 0),
    gauge: (name, help, read) => void gauges.set(name, { help, read }),
    async text() {
      const counted = Object.entries(COUNTERS).map(([name, help]) =>
        print(name, 'counter', help, [...(counters.get(name as Counter) ?? [])]),
      )
      const read = await Promise.all(
        [...gauges].map(async ([name, gauge]) => {
          const samples = await readSamples(gauge, longestReadMs)
          return print(name, 'gauge', gauge.help, samples)
        }),
      )
      return [...counted, ...read].join('')
    },
  }
}

async function readSamples({ read }: Gauge, longestMs: number): Promise<[string, number][]> {
  const late = new AbortController()
  const none = setTimeout(longestMs, [], { signal: late.signal })
  none.catch(() => undefined)
  try {
    return (await Promise.race([read(), none])).map(({ labels = {}, value }) => [
      printLabels(labels),
      value,
    ])
  } catch {
    return []
  } finally {
    late.abort()
  }
}

function print(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  series: readonly (readonly [labels: string, value: number])[],
): string {
  const lines = series.map(([labels, value]) => `${name}${labels} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function printLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
}
