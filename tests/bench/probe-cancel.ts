import type { BenchFile } from './probe-files.ts'
import { openBenchPage } from './probe-browser.ts'

/**
 * How long calls take to answer after they are cancelled, and what the browser still reads then.
 */
export interface Cancelled {
  readonly slowestMs: number
  readonly readAfterBytes: number
  readonly runs: number
  readonly doneBefore: number
}

const KINDS = ['probe', 'poster', 'deep-check', 'queued'] as const
/** From before the first byte to the middle of ffmpeg's work. */
const AFTER_MS = [0, 5, 30, 100, 300] as const
/** The goal gives reads this long to end. */
const READS_END_MS = 50
const WATCHED_MS = 300

export async function measureCancel(origin: string, file: BenchFile): Promise<Cancelled> {
  const bench = await openBenchPage(origin)
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  let [slowestMs, readAfterBytes, runs, doneBefore] = [0, 0, 0, 0]
  try {
    await bench.choose(file.path)
    // Load the engine first: it keeps loading after a cancel on purpose.
    await bench.page.evaluate(() => window.probeBench.poster())
    for (const kind of KINDS) {
      for (const afterMs of AFTER_MS) {
        const { ms, said } = await bench.page.evaluate(
          (call) => window.probeBench.cancel(call.kind, call.afterMs),
          { kind, afterMs },
        )
        await pause(READS_END_MS)
        const before = await bench.readBytes()
        await pause(WATCHED_MS)
        runs += 1
        if (said !== 'probe/cancelled') doneBefore += 1
        slowestMs = Math.max(slowestMs, ms ?? Number.NaN)
        readAfterBytes = Math.max(readAfterBytes, (await bench.readBytes()) - before)
      }
    }
    return { slowestMs, readAfterBytes, runs, doneBefore }
  } finally {
    await bench.close()
  }
}
